"""What the scripts in Python share: usage and --help, one line for whatever is wrong, inputs that end, outputs that replace nothing.

Exit codes: 0 done, 1 failed, 2 unusable options or input."""
import argparse, gzip, hashlib, os, shutil, signal, stat, sys
from contextlib import contextmanager, suppress
from pathlib import Path


class Failed(Exception):
    """What no other input or option would mend: exit code 1."""


def expect(condition, message):
    if not condition:
        raise ValueError(message)


def one_line(text):
    """What a terminal may show of a text, which may come from a file: no control bytes, no line break, 400 characters."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(str(text).split()))[:400]


class Parser(argparse.ArgumentParser):
    """Options of a script, whose docstring is what --help says."""

    def __init__(self, docstring):
        super().__init__(description=docstring, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)

    def error(self, message):
        self.exit(2, one_line(f"{self.format_usage()} ({message})") + "\n")


def new_name(text):
    """An option's type: where a file may be made and nothing is, not even a link that leads nowhere."""
    if not text or os.path.lexists(text) or not os.path.isdir(os.path.dirname(text) or "."):
        raise argparse.ArgumentTypeError(f"expected a new name in a folder that is there, not '{text}'")
    return text


def whole(text):
    """An option's type: a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number from 1")
    return int(text)


@contextmanager
def reading(path, what=None):
    """A regular file as bytes: devices and pipes may have no end. ValueError names it, whatever its contents made of the reader: our
    own words, or that it is not `what`."""
    try:
        expect(stat.S_ISREG(os.stat(path).st_mode), "expected a regular file")
        with open(path, "rb") as file:
            yield file
    except Failed:
        raise
    except Exception as error:
        says = error.strerror if isinstance(error, OSError) else f"no {error} in it" if isinstance(error, KeyError) else error
        if what and not (isinstance(error, KeyError) or isinstance(error, OSError) and says or type(error) is ValueError):
            says = f"expected {what}; this is another file, or damaged"
        raise ValueError(f"{path}: {says or type(error).__name__}") from error


def all_of(file, gib):
    """All bytes of an open file; ValueError where they are more than so many GiB."""
    data = bytearray()
    while part := file.read(1 << 20):
        data += part
        expect(len(data) <= gib << 30, f"more than {gib} GiB")
    return data


def text_of(path):
    """The text of a plain or gzip file, of 1 GiB at most; ValueError otherwise."""
    with reading(path, "a text, plain or gzip") as file:
        data = all_of(gzip.open(file) if file.peek(2)[:2] == b"\x1f\x8b" else file, 1)
        expect(b"\0" not in data, "holds NUL bytes, as UTF-16 does; expected text in UTF-8")
        return data.decode(errors="replace")


def take_name(part, path):
    """Gives a whole file its name, unless another file has taken that meanwhile: FileExistsError."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
        os.replace(part, path)
    else:
        os.unlink(part)


@contextmanager
def writing(path):
    """A file for bytes that gets its name (a `new_name`) once it is whole; whatever stops that leaves nothing. Failed says why."""
    folder, name = os.path.split(path)
    part, begun = os.path.join(folder, f"{name[:60]}.{os.getpid()}.part"), False  # a name of 255 bytes has no room for more
    try:
        with open(part, "xb") as file:
            begun = True  # what was there is somebody's
            yield file
        take_name(part, path)
    except BaseException as error:
        with suppress(OSError):
            if begun:
                os.unlink(part)
        if isinstance(error, OSError):
            raise Failed(f"{path}: {error.strerror}") from error
        raise


def write_together(files):
    """Files that belong together, as (path, what is there or None, bytes): all are whole beside their places before the first gets its
    name, and None have one that nothing has. Whatever stops that before leaves everything as it was. Failed says why."""
    parts, made, replaced = [], [], []
    try:
        for path, before, data in files:
            part = f"{path}.{os.getpid()}.part"
            with open(part, "xb") as file:
                parts.append(part)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if before is not None:
                with suppress(OSError):
                    shutil.chown(part, os.stat(path).st_uid, os.stat(path).st_gid)
                shutil.copymode(path, part)
        for path, before, _ in files:
            if before is not None and Path(path).read_bytes() != before:
                raise Failed(f"{path}: was changed meanwhile; the same command starts again")
        for part, (path, before, _) in sorted(zip(parts, files), key=lambda each: each[1][1] is not None):  # new ones first
            if before is None:
                take_name(part, path)
                made.append(path)
            else:
                os.replace(part, path)
                replaced.append((path, before))
    except BaseException as error:
        for back, before in replaced:
            with suppress(OSError):
                back.write_bytes(before)
        for left in [*parts, *made]:
            with suppress(OSError):
                os.unlink(left)
        if isinstance(error, OSError):
            raise Failed(f"{path}: {error.strerror}") from error
        raise


class Written:
    """A file that is replaced only as an earlier run wrote it, which <file>.sha256 says (lib/perp/io/written.hpp)."""
    heading = "# Files that perp wrote here: a later run replaces these alone, unless somebody changed them."

    def __init__(self, path):
        self.path, self.list = Path(path), Path(f"{path}.sha256")

    def line(self, data):
        return f"{hashlib.sha256(data).hexdigest()}  {self.path.name}"

    def listing(self, *data):
        return "\n".join([self.heading, *sorted(map(self.line, data)), ""]).encode()

    def read(self, path):
        """The bytes of a file, None where nothing is; ValueError for anything else than a plain file."""
        if not os.path.lexists(path):
            return None
        expect(stat.S_ISREG(os.lstat(path).st_mode), f"{path} is no plain file; expected it to be moved away")
        return path.read_bytes()

    def expect(self, data):
        """What is there, and the list's bytes. ValueError, one line, unless that may be replaced."""
        there, says = self.read(self.path), self.read(self.list)
        lines = (says or b"").decode(errors="replace").splitlines() or [self.heading]
        expect(lines[0] == self.heading, f"{self.list} is no list of what perp wrote; expected it to be moved away")
        expect(there is None or there == data or self.line(there) in lines[1:],
               f"{self.path} was not written by an earlier run, or changed since ({self.list}); expected it to be moved away")
        return there, says

    def write(self, data):
        there, says = self.expect(data)
        # Until the file has its name the list has both, so that a run that is killed hinders no later one.
        both, now = self.listing(*{data, data if there is None else there}), self.listing(data)
        write_together([(self.list, says, both)])
        write_together([(self.path, there, data)])
        if both != now:
            write_together([(self.list, both, now)])


def run(parser, main):
    """Calls main with the options by name and ends the process; whatever is wrong is one line."""
    given = vars(parser.parse_args())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main(**given))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        print(f"{parser.prog}: {one_line(error) or type(error).__name__}", file=sys.stderr)
        sys.exit(1 if isinstance(error, Failed) else 2)
