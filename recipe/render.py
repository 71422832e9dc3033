"""Render recipe.yaml: what would be built, and from what, without building it."""

from pathlib import Path

from rattler_build import Stage0Recipe, VariantConfig

VARIANTS = """
python: ["3.11.* *_cpython"]
c_stdlib: [sysroot]
c_stdlib_version: ["2.28"]
cxx_compiler: [gxx]
cxx_compiler_version: ["14"]
"""

recipe = Stage0Recipe.from_file(Path(__file__).with_name("recipe.yaml"))
for variant in recipe.render(VariantConfig.from_yaml(VARIANTS)):
    rendered = variant.recipe.to_dict()
    for part in ("package", "source", "build", "requirements", "tests", "about"):
        print(f"{part}: {rendered[part]}")
