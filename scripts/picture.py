#!/usr/bin/env python3
"""picture.py PAGE.html PICTURE.png: a page as a browser shows it."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "browser"))
from browser import Browser, Page  # noqa: E402

browser = Browser()
Page(browser, sys.argv[1], width=1280, height=1320).picture(sys.argv[2])
browser.close()
