"""What bbcr wants to know of a Python, one "name=value" a line; nothing is imported for it."""

import importlib.metadata
import os
import sys
import sysconfig

folder = sysconfig.get_config_var("LIBDIR") or ""
multiarch = sysconfig.get_config_var("MULTIARCH") or ""
folders = [folder, os.path.join(folder, multiarch), os.path.join(sys.base_prefix, "lib")]
number = f"{sys.version_info[0]}.{sys.version_info[1]}"
names = [f"libpython{number}.so.1.0", f"libpython{number}.so", f"libpython{number}.dylib"]
paths = [os.path.join(folder, name) for folder in folders for name in names]

print(f"executable={sys.executable}")
print(f"version={sys.version.split()[0]}")
print(f"library={next(filter(os.path.exists, paths), '')}")
for name, distribution in {"bbc": "bbc-cv", "bbc_r": "bbc-cv-r", "rpy2": "rpy2-rinterface"}.items():
    try:
        print(f"{name}={importlib.metadata.version(distribution)}")
    except importlib.metadata.PackageNotFoundError:
        print(f"{name}=")
