#!/usr/bin/env bash
# docs/posix.md says which case or script shows what: each of them is there.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
missing() {
    sed -n '/^## What proves it/,$p' docs/posix.md | awk -F'|' '/^\| / && NR > 4 { print $3 }' | grep -v 'shown by' |
        tr ';,' '\n\n' | sed 's/ *//g' | grep . | while read -r name; do
        case $name in
        *.sh) [ -x "tests/e2e/$name" ] || echo "$name" ;;
        test_*) [ -f "tests/unit/$name.c" ] || echo "$name" ;;
        */\*) [ -d "tests/cases/${name%/*}" ] || echo "$name" ;;
        */*) family=${name%/*}
            [ -f "tests/cases/$name/expect" ] || echo "$name" ;;
        *) [ -f "tests/cases/$family/$name/expect" ] || echo "$family/$name" ;;
        esac
    done
}
list=$(missing)
[ -z "$list" ]
tap $? "everything named in docs/posix.md exists" "$list"
rows=$(sed -n '/^## What proves it/,$p' docs/posix.md | grep -c '^| ')
[ "$rows" -gt 30 ]
tap $? "…and that is a table of $rows rows"
finish
