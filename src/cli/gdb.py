"""raddle in gdb: the threads of the program as the schedule has them, who holds what, going from step to step.

The runtime stops in raddle_stopped and answers raddle_tell (src/rt/tell/debugger.c). Before this file stand the
assignments of RADDLE: program, schedule, threads (what they are called), wrapper (the command that becomes the
program), until (the step to stop at, 0: the finding), steps and starts (whether to run at once)."""
import re

import gdb
from gdb.FrameDecorator import FrameDecorator


def number(name):
    return int(gdb.parse_and_eval(f"*(unsigned *)&{name}"))


def ours(frame):
    """Is it a frame of raddle, of the C library or of a header of C++, which nobody wants to look at?"""
    library = gdb.solib_name(frame.pc()) or ""
    if re.search(r"/(libraddle-rt|libc|libpthread|libstdc\+\+)[.-]", library):
        return True
    source = frame.find_sal().symtab
    return source is not None and re.search(r"/include/(c\+\+|x86_64[^/]*/c\+\+|raddle)/", source.filename) is not None


def first_own():
    """The innermost frame of the program; None: there is none."""
    frame = gdb.newest_frame()
    while frame is not None and (ours(frame) or frame.type() == gdb.SIGTRAMP_FRAME):
        frame = frame.older()
    return frame


def select_own():
    frame = first_own()
    if frame is not None:
        frame.select()
    return frame


def place(address):
    line = gdb.find_pc_line(address - 1)
    return f"{line.symtab.filename.rsplit('/', 1)[-1]}:{line.line}" if line.symtab else hex(address)


def part(kind, offset):
    """What lies there in a value of the type: .work, [1].lock; None: nothing with a name."""
    kind = kind.unqualified()
    while kind.code == gdb.TYPE_CODE_TYPEDEF and kind.name not in LOCKS:
        kind = kind.target().unqualified()
    if kind.name in LOCKS or kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY):
        return "" if offset == 0 else None
    if kind.code == gdb.TYPE_CODE_ARRAY:
        size = kind.target().sizeof
        inner = part(kind.target(), offset % size)
        return None if inner is None else f"[{offset // size}]{inner}"
    for f in kind.fields():
        if hasattr(f, "bitpos") and 0 <= offset - f.bitpos // 8 < f.type.sizeof:
            inner = part(f.type, offset - f.bitpos // 8)
            name = "" if f.is_base_class or not f.name else f".{f.name}"
            return None if inner is None else name + inner
    return None


def object_name(address):
    """pool.work, accounts[1].lock, without debug information accounts+48; or the address."""
    said = gdb.execute(f"info symbol {address:#x}", to_string=True)
    found = re.match(r"(\S+)( \+ (\d+))? in section", said)
    if not found:
        return hex(address)
    name, offset = found.group(1), int(found.group(3) or 0)
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    inner = part(symbol.type, offset) if symbol is not None else None
    return name + (inner if inner is not None else f"+{offset}" if offset else "")


def thread_name(t):
    names = RADDLE["threads"]
    return names[t] if t < len(names) else f"thread {t}"


class State:
    """What raddle_tell says, once per stop."""

    def __init__(self):
        self.threads, self.objects, self.fresh = {}, {}, False
        self.event_thread, self.stop, self.quiet = None, None, False

    def forget(self, *_):
        self.fresh = False

    def ask(self):
        if self.fresh or gdb.selected_thread() is None:
            return
        if at_our_stop():
            said = gdb.parse_and_eval("*(char **)&raddle_told").string("utf-8", "replace")
        else:
            said = self.call()
        self.threads, self.objects, self.fresh = {}, {}, True
        for line in said.splitlines():
            words = line.split()
            if words[0] == "thread":
                self.threads[int(words[1])] = {
                    "kernel": int(words[2]), "state": words[3], "at": int(words[4], 16),
                    "object": int(words[5], 16), "does": " ".join(words[6:])}
            elif words[0] == "object":
                self.objects[int(words[1], 16)] = " ".join(words[2:])

    def call(self):
        """The program runs for it, in the thread that ran last."""
        before, frame = gdb.selected_thread(), gdb.selected_frame()
        if self.event_thread is not None and self.event_thread.is_valid():
            self.event_thread.switch()
        try:
            return gdb.parse_and_eval("((char *(*)(void))raddle_tell)()").string("utf-8", "replace")
        finally:
            before.switch()
            frame.select()

    def told(self, t):
        """waits: mutex lock accounts+48, held by thread 2 (back)."""
        s = self.threads[t]
        if s["state"] in ("runs", "ended") or not s["does"]:
            return s["state"]
        if s["does"] == "join":
            return f"{s['state']}: join {thread_name(s['object'])}"
        held = self.objects.get(s["object"], "")
        about = f"{s['state']}: {s['does']} {object_name(s['object'])}"
        return about + (f", {self.words(s['object']).split(',')[0]}" if held.startswith(("held", "read")) else "")

    def words(self, address):
        """What is known of the object; None: nothing."""
        said = self.objects.get(address, "").split()
        if not said:
            return None
        if said[:2] == ["held", "by"]:
            return f"held by {thread_name(int(said[2]))}, locked at {place(int(said[3], 16))}"
        if said[0] in ("awaited", "read"):
            who = ", ".join(thread_name(int(t)) for t in said[2:])
            return f"{said[0]} by {who or 'nobody'}"
        return {"value": "value {1}", "arrived": "{1} of {2} have arrived"}.get(said[0], said[0]).format(*said, "", "")

    def meant(self):
        """The thread of the finding; not one that only joins if others wait for more."""
        t = number("raddle_thread")
        if self.threads[t]["does"] == "join":
            t = next((o for o, s in self.threads.items() if s["state"] == "waits" and s["does"] != "join"), t)
        return t

    def gdb_thread(self, t):
        kernel = self.threads[t]["kernel"]
        return next((g for g in gdb.selected_inferior().threads() if g.ptid[1] == kernel), None)


STATE = State()


def name_threads():
    """info threads shows what raddle calls them and what they are about to do."""
    before, frame = gdb.selected_thread(), gdb.selected_frame()
    STATE.ask()
    for t in STATE.threads:
        shown = STATE.gdb_thread(t)
        if shown is None:
            continue
        shown.switch()
        own = first_own()
        where = ""
        if own is not None and STATE.threads[t]["state"] != "ended":
            where = f", {own.name()} () at {place(own.pc() + (own.level() == 0))}"
        shown.name = f"{thread_name(t)} {STATE.told(t)}{where}"
    before.switch()
    frame.select()


def stopped(event):
    """A stop of ours: in the thread that is meant, in the program's own frame."""
    STATE.forget()
    STATE.event_thread = gdb.selected_thread()
    STATE.stop = event
    if not at_our_stop():
        return
    try:
        name_threads()
        meant = STATE.gdb_thread(STATE.meant())
        if meant is not None:
            meant.switch()
        select_own()
    except gdb.error as e:
        print(f"raddle: {e}")
    if not STATE.quiet:
        where()


def at_our_stop():
    return (gdb.selected_thread() is not None and isinstance(STATE.stop, gdb.BreakpointEvent)
            and any(b.location == "raddle_stopped" for b in STATE.stop.breakpoints))


class WholePath(FrameDecorator):
    """An editor opens the file by what it is told here."""

    def filename(self):
        source = self.inferior_frame().find_sal().symtab
        return source.fullname() if source is not None else super().filename()


class OwnFrames:
    """bt shows the program's frames alone; bt -no-filters shows all."""
    name, priority, enabled = "raddle", 100, True

    def filter(self, frames):
        own = (f for f in frames if not ours(f.inferior_frame()))
        return map(WholePath, own) if for_an_editor() else own


class Lock:
    """A synchronization object: who holds it."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            STATE.ask()
            return STATE.words(int(self.value.address)) or "not used yet"
        except (gdb.error, gdb.MemoryError, TypeError):
            return "not known"


def printer(value):
    kind = value.type.unqualified()
    while kind.name not in LOCKS and kind.code == gdb.TYPE_CODE_TYPEDEF:
        kind = kind.target().unqualified()
    return Lock(value) if kind.name in LOCKS else None


LOCKS = {"pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t", "pthread_spinlock_t",
         "sem_t", "mtx_t", "cnd_t"}


def at_step():
    return number("raddle_at")


def alive():
    if gdb.selected_thread() is None:
        raise gdb.GdbError("the program does not run: `run` replays it")


def where():
    """One line, and the frame as gdb shows it."""
    if gdb.selected_thread() is None:
        print("raddle: the execution has ended before it came to that point")
        return
    STATE.ask()
    print(f"raddle: step {at_step()} of {RADDLE['steps']}, {thread_name(STATE.meant())}")
    if first_own() is not None:
        gdb.execute("frame")


def go_to(step):
    """Forwards, or from the beginning; what gdb says is shown if the program stops elsewhere."""
    STATE.quiet, STATE.stop = True, None
    try:
        if gdb.selected_thread() is not None and step > at_step():
            gdb.execute(f"set var *(unsigned *)&raddle_until = {step}")
            said = gdb.execute("continue", to_string=True)
        else:
            gdb.execute(f"set exec-wrapper {RADDLE['wrapper'] % max(step, 1)}")
            said = gdb.execute("run", to_string=True)
            gdb.execute(f"set exec-wrapper {RADDLE['wrapper'] % RADDLE['until']}")
    finally:
        STATE.quiet = False
    if gdb.selected_thread() is None or at_our_stop():
        where()
    else:
        print(said, end="")


def count(argument, default):
    if argument and not argument.strip().isdigit():
        raise gdb.GdbError(f"a number is wanted, not '{argument}'")
    return int(argument) if argument else default


class Raddle(gdb.Command):
    """raddle threads | thread N | bt all | locks | step [N] | back [N] | goto N | where

Threads and steps have the numbers of raddle's report. `raddle step` lets the threads go on for N steps of the
schedule, `raddle back` replays to N steps before, `raddle goto` to step N."""

    def __init__(self):
        super().__init__("raddle", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


def command(name):
    def make(function):
        def invoke(self, argument, from_tty):
            function(argument)
        gdb_class = type(name, (gdb.Command,), {"invoke": invoke, "__doc__": function.__doc__})
        gdb_class(f"raddle {name}", gdb.COMMAND_RUNNING)
        return function
    return make


Raddle()


@command("threads")
def threads(_):
    """The threads of the program, and what each is about to do."""
    alive()
    STATE.ask()
    before, frame = gdb.selected_thread(), gdb.selected_frame()
    for t in STATE.threads:
        shown = STATE.gdb_thread(t)
        mark = "*" if shown is not None and shown.num == before.num else " "
        line = f"{mark} {thread_name(t)}  {STATE.told(t)}"
        if shown is not None and STATE.threads[t]["state"] != "ended":
            shown.switch()
            own = first_own()
            line += f"  in {own.name()} () at {place(own.pc() + (own.level() == 0))}" if own else ""
        print(line)
    before.switch()
    frame.select()


@command("thread")
def thread(argument):
    """raddle thread N: goes to the thread that raddle calls N."""
    alive()
    STATE.ask()
    t = count(argument, number("raddle_thread"))
    shown = STATE.gdb_thread(t) if t in STATE.threads else None
    if shown is None:
        raise gdb.GdbError(f"there is no thread {t}: raddle threads lists them")
    shown.switch()
    print(f"{thread_name(t)}  {STATE.told(t)}")
    if select_own() is not None:
        gdb.execute("frame")


@command("bt")
def backtraces(argument):
    """raddle bt: the stack of this thread; raddle bt all: of all threads of the program."""
    alive()
    if (argument or "").strip() != "all":
        gdb.execute("bt")
        return
    STATE.ask()
    before, frame = gdb.selected_thread(), gdb.selected_frame()
    for t in STATE.threads:
        shown = STATE.gdb_thread(t)
        print(f"\n{thread_name(t)}  {STATE.told(t)}")
        if shown is not None and STATE.threads[t]["state"] != "ended":
            shown.switch()
            gdb.execute("bt")
    before.switch()
    frame.select()


@command("locks")
def locks(_):
    """Every synchronization object that was used: free, or who holds it."""
    alive()
    STATE.ask()
    for address in STATE.objects:
        print(f"{object_name(address)}  {STATE.words(address)}")


@command("step")
def step(argument):
    """raddle step [N]: lets the threads go on for N steps of the schedule (default 1)."""
    alive()
    go_to(at_step() + count(argument, 1))


@command("back")
def back(argument):
    """raddle back [N]: N steps back, by replaying."""
    alive()
    go_to(at_step() - count(argument, 1))


@command("goto")
def goto(argument):
    """raddle goto N: to step N of the schedule, forwards or by replaying."""
    if not argument:
        raise gdb.GdbError("raddle goto N: the number of a step")
    go_to(count(argument, 0))


@command("where")
def where_command(_):
    """The step and the thread that raddle stopped at."""
    alive()
    where()


def leave_runtime():
    """next and step begin in the program: out of the operation that the thread stands before, up to raddle's outermost
    function. gdb leaves that by itself, and stops at the next line even if that begins right there."""
    own = first_own() if gdb.selected_thread() is not None else None
    if own is None or own.level() <= 1 or own.newer().type() == gdb.SIGTRAMP_FRAME:
        return
    there = own.newer().pc()
    stop = gdb.Breakpoint(f"*{there:#x}", internal=True, temporary=True)
    stop.silent, stop.thread = True, gdb.selected_thread().global_num
    gdb.execute("continue", to_string=True)
    if stop.is_valid():
        stop.delete()
    if gdb.selected_thread() is None or gdb.newest_frame().pc() != there:
        raise gdb.GdbError("raddle: the program stopped before it came to the next line")


def for_an_editor():
    """Is gdb driven through its machine interface?"""
    with open("/proc/self/cmdline", encoding="utf-8", errors="replace") as words:
        return re.search(r"-i(nterpreter)?[=\0]mi", words.read()) is not None


for line in ("pagination off", "confirm off", "breakpoint pending on", "print thread-events off",
             "disable-randomization on", "debuginfod enabled off", "startup-with-shell on"):
    gdb.execute(f"set {line}")
for signal in ("SIGUSR2", "SIGSEGV", "SIGSYS", "SIGFPE", "SIGILL", "SIGBUS", "SIGABRT"):
    gdb.execute(f"handle {signal} nostop noprint pass", to_string=True)
gdb.execute("unset environment LINES")
gdb.execute("unset environment COLUMNS")
gdb.execute(f"set exec-wrapper {RADDLE['wrapper'] % RADDLE['until']}")
for name in ("next", "step"):
    gdb.execute(f"define hook-{name}\npython leave_runtime()\nend")
gdb.execute("skip -rfu ^std::", to_string=True)
gdb.execute("define hookpost-thread\npython select_own()\nend")
gdb.pretty_printers.insert(0, printer)
gdb.frame_filters["raddle"] = OwnFrames()
gdb.events.stop.connect(stopped)
gdb.events.cont.connect(STATE.forget)
gdb.execute("break raddle_stopped", to_string=True)
if for_an_editor():
    gdb.execute('interpreter-exec mi "-enable-frame-filters"', to_string=True)
else:
    gdb.breakpoints()[-1].silent = True  # an editor is to be told that the program has stopped
if RADDLE["starts"]:
    gdb.execute("run")
    if gdb.selected_thread() is None:
        where()
