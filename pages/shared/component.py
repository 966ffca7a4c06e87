"""Components of the browser: their JavaScript and CSS lie in ``assets/components``."""

from streamlit.components.v2 import component as register

from core.files.assets import ASSETS


def component(name, scripts, *styles):
    """The component ``workbench_<name>`` of these files; several scripts are one module."""

    def joined(files):
        return "\n".join((ASSETS / "components" / file).read_text(encoding="utf-8") for file in files)

    mount = register(f"workbench_{name}", js=joined(scripts), css=joined(styles))

    def draw(data=None, **how):
        """Draw it; its script is given ``[data]``: in a list Streamlit looks for no tables, which would load pandas."""
        return mount(data=data if data is None else [data], **how)

    return draw
