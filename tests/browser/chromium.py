"""Debian's Chromium without a window, driven over a pipe in its own protocol."""

import base64
import fcntl
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

# Nothing is fetched, and the profile is a fresh one that goes away.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


class Chromium:
    """A browser with one page."""

    def __enter__(self) -> "Chromium":
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs, self._to, self._from, theirs_to = _two_pipes()
        command = ["chromium", *FLAGS, f"--user-data-dir={self._profile.name}"]
        shell = ["bash", "-c", f'exec "$@" 3<&{theirs} 4>&{theirs_to}', "bash"]
        self._process = subprocess.Popen(
            [*shell, *command, "--remote-debugging-pipe", "about:blank"],
            pass_fds=(theirs, theirs_to),
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(theirs_to)
        self._rest, self._count, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()  # its profile goes away
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser, and wait for its answer; events on the way are kept."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (found := self._next()).get("id") != self._count:
            self.events.append(found)
        if "error" in found:
            raise RuntimeError(f"{method}: {found['error']}")
        answer: dict[str, Any] = found["result"]
        return answer

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            if not part:
                raise RuntimeError("Chromium is gone")
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def open(self, page: Path) -> None:
        """Show a page."""
        self.call("Page.navigate", url=page.as_uri())
        self.until("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What an expression is in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        while not self.value(expression):
            time.sleep(0.02)

    def choose_file(self, selector: str, path: Path) -> None:
        """Choose a file, as a person does in the dialog."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path.resolve())])

    def press(self, key: str, code: int, *, text: str = "") -> None:
        """Press a key and let it go."""
        common = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        more = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def shot(self, path: Path, *, width: int, dark: bool = False) -> None:
        """A picture of the whole page on a screen of this width."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        for height in (800, 0):  # the second time as high as the page is at this width
            height = height or int(self.value("document.documentElement.scrollHeight"))
            self.call(
                "Emulation.setDeviceMetricsOverride",
                width=width,
                height=height,
                deviceScaleFactor=1,
                mobile=False,
            )
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(picture))

    def complaints(self) -> list[str]:
        """What the page's console says, and requests of the page for anything but itself."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"]))
            elif method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if url.partition(":")[0] not in ("file", "blob", "about", "data"):
                    found.append(url)
        return found


def _two_pipes() -> list[int]:
    """Both ends of two pipes, away from the numbers 3 and 4, which the browser expects."""
    first = [*os.pipe(), *os.pipe()]
    moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20) for descriptor in first]
    for descriptor in first:
        os.close(descriptor)
    return moved
