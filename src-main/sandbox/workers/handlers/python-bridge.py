"""Runs one Python handler for a worker of the sandbox, one job at a time.

Commands come on standard input, one JSON object a line: {"run": 1, "id": <the job's>, "submission": <its body as text>}
and {"stop": 1}. Its end is the end of the worker. Messages go out on what was standard output: a line with a kind and a
length in bytes, then so many bytes of UTF-8. What the handler prints is a message too, so that it keeps its place among
the others, with the job whose code printed it; output that bypasses Python goes to standard error.
"""

import asyncio
import contextvars
import importlib.util
import inspect
import io
import json
import linecache
import math
import os
import queue
import signal
import sys
import threading
import traceback
import types

COMMANDS = os.fdopen(os.dup(0), "rb")
MESSAGES = os.fdopen(os.dup(1), "wb", buffering=0)
MESSAGES_LOCK = threading.Lock()
PATH = os.path.abspath(sys.argv[1])
FOLDER = os.path.dirname(PATH)


class JobStopped(BaseException):
    """Raised in a handler whose job was cancelled, has timed out or was deleted."""


class NoHandler(Exception):
    """The file has none."""


class Jobs:
    """What the thread of the commands and the main thread share. Jobs are numbered."""

    def __init__(self):
        self.waiting = queue.Queue()
        self.running = None
        self.stopped = set()
        self.task = None
        self.is_sending = False
        self.is_stop_held = False

    def is_stopped(self):
        return self.running in self.stopped


JOBS = Jobs()
# What the handler's file gave to `runpod.serverless.start`.
CONFIG = {}
# Tasks keep the job that they were made in, even after its end. Threads have none: a pool may serve any job.
JOB_ID = contextvars.ContextVar("job id", default=None)
LOOP = asyncio.new_event_loop()
asyncio.set_event_loop(LOOP)


def send(kind, text=""):
    """Sends a message as a whole: a stop of the job waits for that."""
    payload = text.encode("utf-8", "replace")
    job_id = JOB_ID.get() if kind in ("out", "err") else None
    head = f"{kind} {len(payload)}" if job_id is None else f"{kind} {len(payload)} {job_id}"
    is_main = threading.current_thread() is threading.main_thread()
    if is_main:
        JOBS.is_sending = True
    try:
        with MESSAGES_LOCK:
            whole = memoryview(b"%s\n%s" % (head.encode(), payload))
            while whole:
                whole = whole[MESSAGES.write(whole) :]
    finally:
        if is_main:
            JOBS.is_sending = False
            if JOBS.is_stop_held:
                raise_stop()


def raise_stop():
    JOBS.is_stop_held = False
    if JOBS.is_stopped():
        raise JobStopped()


class Printed(io.TextIOBase):
    """sys.stdout or sys.stderr of the handler."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, kind, number):
        self.kind = kind
        self.number = number

    def writable(self):
        return True

    def fileno(self):
        return self.number

    def write(self, text):
        if text:
            send(self.kind, text.encode("utf-8", "replace").decode("utf-8"))
        return len(text)


def json_of(value, what):
    """The value as JSON text. Raises a TypeError with a sentence for the author of the handler."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        text.encode("utf-8")
        return text
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"{what} cannot be sent as JSON: {unfit_of(value) or error}.") from None


def unfit_of(value):
    """What in a value cannot be JSON, with its place, or None."""
    try:
        return find_unfit(value, "output", ())
    except RecursionError:
        return "it is nested too deeply"


def find_unfit(value, path, above):
    """As `unfit_of`. `above`: the values that it is in."""
    if value is None or isinstance(value, int):
        return None
    if isinstance(value, str):
        half = any("\ud800" <= letter <= "\udfff" for letter in value)
        return f"{path} has half of a character (a lone surrogate)" if half else None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{path} is {value}, which JSON does not have"
    if not isinstance(value, (dict, list, tuple)):
        return f"{path} is of type {type(value).__name__}"
    if id(value) in above:
        return f"{path} is in itself, and so without end"
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in members:
        if not isinstance(key, (str, int, float, type(None))):
            return f"{path} has a key of type {type(key).__name__}"
        step = f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key!r}]"
        found = find_unfit(member, path + step, (*above, id(value)))
        if found is not None:
            return found
    return None


def own_traceback(error):
    """The traceback from the handler's own first line on, with its causes."""
    frames = own = error.__traceback__
    while frames is not None:
        if frames.tb_frame.f_code.co_filename == __file__:
            own = frames.tb_next
        frames = frames.tb_next
    linecache.checkcache()
    return "".join(traceback.format_exception(type(error), error, own)).rstrip()


def report(error):
    try:
        message = str(error)
    except Exception:
        # As Python's own traceback writes it.
        message = "<exception str() failed>"
    fields = {
        "error_type": type(error).__name__,
        "error_message": message,
        "error_traceback": own_traceback(error),
    }
    return json.dumps(fields, ensure_ascii=True)


def send_chunk(value, number):
    if isinstance(value, dict) and set(value) == {"output", "metrics"}:
        send("metrics", json_of(value["metrics"], f"The metrics of chunk {number}"))
        value = value["output"]
    send("chunk", json_of(value, f"What the handler yielded as chunk {number}"))


async def consume(values):
    number = 0
    async for value in values:
        number += 1
        send_chunk(value, number)


def in_loop(awaitable):
    """Waits for it in the one event loop of this worker. A stop cancels it."""
    task = JOBS.task = LOOP.create_task(as_coroutine(awaitable))
    try:
        if JOBS.is_stopped():
            task.cancel()
        return LOOP.run_until_complete(task)
    except asyncio.CancelledError:
        if JOBS.is_stopped():
            raise JobStopped() from None
        raise
    finally:
        JOBS.task = None
        if not task.done():
            task.cancel()
            LOOP.run_until_complete(asyncio.gather(task, return_exceptions=True))


async def as_coroutine(awaitable):
    return await awaitable


def run_handler(handler, job):
    """Runs a job. Returns the kind and text of its last message."""
    result = handler(job)
    if inspect.isawaitable(result):
        result = in_loop(result)
    if inspect.isasyncgen(result):
        send("stream")
        in_loop(consume(result))
        return "end", ""
    if inspect.isgenerator(result):
        send("stream")
        for number, value in enumerate(result, 1):
            send_chunk(value, number)
        return "end", ""
    return returned(result)


def returned(result):
    """The last message for what a handler returned.

    As in the SDK, two members of a dict are not output: `error` fails the job, with the others as the output of its
    record, and `refresh_worker` has the worker replaced after the job. A dict without others is no output.
    """
    error = None
    if isinstance(result, dict):
        error = result.get("error")
        is_worker_over = result.get("refresh_worker")
        result = {key: value for key, value in result.items() if key not in ("error", "refresh_worker")} or None
        if is_worker_over:
            send("refresh")
    output = "" if result is None else json_of(result, "What the handler returned")
    if not error:
        return ("output", output) if output else ("nothing", "")
    message = error if isinstance(error, str) else json_of(error, "The error that the handler returned")
    sys.stderr.write(f"The handler returned an error: {message}\n")
    if output:
        send("output-of-failed", output)
    return "refused", message


def end_of(handler, command):
    """Runs a job. Returns its last message, which says how it ended."""
    job = {**json.loads(command["submission"]), "id": command["id"]}
    JOBS.running = command["run"]
    try:
        return ("stopped", "") if JOBS.is_stopped() else run_handler(handler, job)
    except SystemExit as error:
        sys.stderr.write(f"The handler called sys.exit({'' if error.code is None else repr(error.code)}).\n")
        os._exit(error.code if isinstance(error.code, int) else 0 if error.code is None else 1)
    except JobStopped:
        return "stopped", ""
    except BaseException as error:
        if JOBS.is_stopped():
            return "stopped", ""
        sys.stderr.write(own_traceback(error) + "\n")
        return "failed", report(error)


def run_job(handler, command):
    JOB_ID.set(command["id"])
    try:
        end = end_of(handler, command)
    except JobStopped:
        # It came while another exception was being reported.
        end = "stopped", ""
    JOBS.running = None
    JOB_ID.set(None)
    if CONFIG.get("refresh_worker"):
        send("refresh")
    send(*end)


def on_signal(_number, _frame):
    if JOBS.is_sending:
        JOBS.is_stop_held = True
    else:
        raise_stop()


def stop(number):
    """Stops a job: a coroutine is cancelled, other code gets an exception, even while it sleeps."""
    JOBS.stopped.add(number)
    if JOBS.running != number:
        return
    task = JOBS.task
    if task is not None:
        LOOP.call_soon_threadsafe(task.cancel)
    elif hasattr(signal, "SIGUSR1"):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)


def follow_commands():
    for line in COMMANDS:
        command = json.loads(line)
        if "stop" in command:
            stop(command["stop"])
        else:
            JOBS.waiting.put(command)
    os._exit(0)


def progress_update(job, progress):
    """As in the SDK: shown as the job's output while it runs."""
    send("progress", json_of(progress, "The progress"))


def has_sdk():
    try:
        return importlib.util.find_spec("runpod") is not None
    except (ImportError, ValueError):
        return False


def replace_sdk_start():
    """Makes `runpod.serverless.start` name the handler instead of polling the service, with or without the SDK."""

    def start(given):
        CONFIG.update(given)

    def patch(serverless):
        serverless.start = start
        serverless.progress_update = progress_update

    if has_sdk():
        # Loaded only if the handler imports it, because that takes seconds.
        sys.meta_path.insert(0, PatchingFinder(patch))
    else:
        runpod = types.ModuleType("runpod")
        runpod.serverless = types.ModuleType("runpod.serverless")
        patch(runpod.serverless)
        sys.modules["runpod"] = runpod
        sys.modules["runpod.serverless"] = runpod.serverless


class PatchingFinder:
    """Patches `runpod.serverless` as soon as it is loaded."""

    def __init__(self, patch):
        self.patch = patch

    def find_spec(self, name, path=None, target=None):
        if name != "runpod.serverless":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        exec_module = spec.loader.exec_module

        def exec_and_patch(module):
            exec_module(module)
            self.patch(module)

        spec.loader.exec_module = exec_and_patch
        return spec


def send_sources():
    """The files whose change makes this worker out of date: the handler's and those beside it, but no packages."""
    paths = {PATH}
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and os.path.abspath(path).startswith(FOLDER + os.sep):
            paths.add(os.path.abspath(path))
    for path in sorted(paths):
        parts = os.path.relpath(path, FOLDER).split(os.sep)
        if not {"site-packages", "dist-packages"} & set(parts):
            send("source", path)


def send_missing(error):
    """Where a module of that name would be, which may be written next."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        base = os.path.join(FOLDER, *error.name.split("."))
        send("source", base + ".py")
        send("source", os.path.join(base, "__init__.py"))


def missing_sdk_hint(error):
    """A line for the author if what failed needs the SDK and only its stand-in is there. Otherwise empty."""
    is_stand_in = "runpod" in sys.modules and getattr(sys.modules["runpod"], "__file__", None) is None
    if not is_stand_in or not isinstance(error, (ImportError, AttributeError)) or "'runpod" not in str(error):
        return ""
    return (
        "\nThe SDK is not installed for this Python, and in its place there are only runpod.serverless.start and "
        f"runpod.serverless.progress_update. Install it: {sys.executable} -m pip install runpod"
    )


def load():
    """The handler in the file, which runs as the main program, as in its container. Raises NoHandler if it has none."""
    replace_sdk_start()
    module = types.ModuleType("__main__")
    module.__file__ = PATH
    sys.modules["__main__"] = module
    sys.path.insert(0, FOLDER)
    sys.argv = [PATH]
    with open(PATH, "rb") as file:
        source = file.read()
    exec(compile(source, PATH, "exec"), module.__dict__)
    handler = CONFIG.get("handler", module.__dict__.get("handler"))
    if callable(handler):
        return handler
    names = [name for name in module.__dict__ if not name.startswith("_")]
    defined = f"It defines {', '.join(names)}." if names else "It defines nothing."
    raise NoHandler(f"It does not define a function named handler, nor starts one. {defined}")


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, on_signal)
    os.dup2(2, 1)
    # The commands are not for the handler and the programs it starts: for them, the input is at its end.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout = Printed("out", 1)
    sys.stderr = Printed("err", 2)
    threading.Thread(target=follow_commands, daemon=True).start()
    try:
        handler = load()
    except BaseException as error:
        send_sources()
        send_missing(error)
        reason = str(error) if isinstance(error, NoHandler) else own_traceback(error) + missing_sdk_hint(error)
        send("load-failed", reason)
        os._exit(1)
    send_sources()
    send("ready")
    while True:
        run_job(handler, JOBS.waiting.get())


main()
