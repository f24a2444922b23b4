"""Chromium without a window, driven through its debugging pipe: pages opened from files, keys pressed, pictures
taken. Every request that a page makes is noted. Needs nothing but the Debian package chromium."""
import base64
import json
import os
import shutil
import subprocess
import tempfile


class Page:
    """One tab. Sizes are in CSS pixels."""

    def __init__(self, browser, path, width=1280, height=900, dark=False, scripts=True, fragment="", measure=False):
        self.browser, self.requests, self.errors = browser, [], []
        self.target = browser.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = browser.call("Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.call("Emulation.setEmulatedMedia",
                  {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.call("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        if measure:
            self.call("Performance.enable", {"timeDomain": "threadTicks"})
        self.loaded = False
        self.call("Page.navigate", {"url": "file://" + os.path.abspath(path) + fragment})
        while not self.loaded:
            browser.wait_for_event()

    def call(self, method, params=None):
        return self.browser.call(method, params, self.session)

    def event(self, method, params):
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def value(self, expression):
        """Evaluates JavaScript in the page (also when the page itself may run none)."""
        answer = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        assert "exceptionDetails" not in answer, (expression, answer)
        return answer["result"].get("value")

    def after(self, condition):
        """Waits until an expression is true in the page."""
        self.call("Runtime.evaluate", {"awaitPromise": True, "expression":
                  "new Promise(done => { const look = () => { if (%s) done(); else setTimeout(look, 50); }; look(); })" % condition})

    def press(self, key):
        codes = {"ArrowDown": 40, "ArrowUp": 38, "PageDown": 34, "PageUp": 33, "Home": 36, "End": 35, "Tab": 9,
                 "ArrowRight": 39, "ArrowLeft": 37}
        for kind in ("rawKeyDown", "keyUp"):
            params = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0]))}
            if len(key) == 1 and kind == "rawKeyDown":
                params.update(type="keyDown", text=key)
            self.call("Input.dispatchKeyEvent", params)

    def picture(self, path, whole=0):
        """What is seen, or the whole page of that width."""
        how = {"format": "png"}
        if whole:
            height = min(self.value("document.documentElement.scrollHeight"), 8000)
            how.update(captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": whole, "height": height, "scale": 1})
        answer = self.call("Page.captureScreenshot", how)
        with open(path, "wb") as f:
            f.write(base64.b64decode(answer["data"]))

    def busy(self):
        """Seconds that the page's thread has worked so far (of the processor, not of the clock)."""
        return {m["name"]: m["value"] for m in self.call("Performance.getMetrics")["metrics"]}["TaskDuration"]

    def close(self):
        self.browser.call("Target.closeTarget", {"targetId": self.target})


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="raddle-browser-")
        to_read, self.to = os.pipe()
        self.fro, to_write = os.pipe()
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir=" + self.profile],
            preexec_fn=lambda: (os.dup2(to_read, 63), os.dup2(to_write, 64), os.dup2(63, 3), os.dup2(64, 4)),
            pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.left, self.pages = 0, b"", {}

    def receive(self):
        while b"\0" not in self.left:
            more = os.read(self.fro, 1 << 20)
            assert more, "the browser has gone"
            self.left += more
        message, self.left = self.left.split(b"\0", 1)
        return json.loads(message)

    def wait_for_event(self):
        message = self.receive()
        if message.get("sessionId") in self.pages and "method" in message:
            self.pages[message["sessionId"]].event(message["method"], message["params"])
        return message

    def call(self, method, params=None, session=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.wait_for_event()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def close(self):
        try:
            self.call("Browser.close")
        except (AssertionError, OSError):
            pass
        self.process.wait(30)
        shutil.rmtree(self.profile, ignore_errors=True)
