#!/usr/bin/env bash
# The scripts of the recipes in docs/ci, as the CI systems would run them, on the example project.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
PATH=$(dirname "$RADDLE"):$PATH
export PATH TESTS="test_transfer test_audit" GITHUB_PATH=$SCRATCH/path GITHUB_STEP_SUMMARY=$SCRATCH/summary.md CI=true
valid() { python3 -c "import json, sys; j = json.load(open('$1')); sys.exit(not ($2))"; }
failures() { python3 -c "import sys, xml.etree.ElementTree as e; sys.exit(len(e.parse('$1').findall('.//failure')) != $2)"; }
project() { rm -rf project && cp -r "$TOP/examples/account" project && cd project || exit 1; }

# block FILE TEXT: the indented lines after the line that ends with TEXT.
block() {
    awk -v head="$2" 'on && /[^ ]/ { match($0, /^ */); if (RLENGTH <= indent) exit; print }
        !on && index($0, head) { match($0, /^ */); indent = RLENGTH; on = 1 }' "$1"
}

# --- GitHub ---
project
recipe=$TOP/docs/ci/github-actions.yml
block "$recipe" "name: Build the project" >step
grep -v '^ *run: |' step | grep -v GITHUB_PATH | sh -e >log 2>&1
tap $? "GitHub: the project is built" "$(tail -n 5 log)"
block "$recipe" "name: Explore" | grep -v '^ *run: |' >step
sh -e step >log 2>err
tap $(($? != 1)) "GitHub: a bug fails the job" "$(cat log err)"
check "…and is an annotation" grep -q '^::error file=.*test_audit.c,line=[0-9]*,title=raddle' log
check "…and in the summary" grep -q '^### raddle: bug' "$SCRATCH/summary.md"
check "…and SARIF to be uploaded" valid raddle-results/test_audit.sarif "len(j['runs'][0]['results']) >= 1"
check "…and a page to be kept" test -s raddle-out/test_audit.html
check "the other program has no result" valid raddle-results/test_transfer.sarif "j['runs'][0]['results'] == []"
cd ..

# --- GitLab ---
project
recipe=$TOP/docs/ci/gitlab-ci.yml
block "$recipe" "script:" | sed -n 's/^ *- \(raddle\|make\)/\1/p' | sh -e >log 2>&1
tap $? "GitLab: the project is built" "$(tail -n 5 log)"
block "$recipe" "- |" >step
sh -e step >log 2>err
tap $(($? != 1)) "GitLab: a bug fails the job" "$(cat log err)"
check "…and is in the code quality" valid raddle-out/quality.json "len(j) >= 1 and j[0]['location']['path'].endswith('.c')"
check "…and a failed test" failures raddle-out/test_audit.xml 1
check "the other test passes" failures raddle-out/test_transfer.xml 0
check "lines are there" grep -q '^SF:.*account.c' raddle-out/test_transfer.info
cd ..

# --- Jenkins ---
project
recipe=$TOP/docs/ci/Jenkinsfile
awk "/sh '''/ { on = 1; next } /'''/ { on = 0 } on" "$recipe" >step
sh -e step >log 2>err
tap $? "Jenkins: the scripts succeed, a bug makes the build unstable" "$(tail -n 5 log; cat err)"
check "…by a failed test" failures raddle-out/test_audit.xml 1
finish
