"""What a page under AppTest says, and the jobs that it begins."""

from pages.shared.constraints.results import VIEWS
from tests.patience import ended, wait_for


def said(elements):
    """The words of elements, such as ``app.caption``, in one line."""
    return " ".join(str(element.value) for element in elements)


def table(app, column):
    """The first table of a page with that column."""
    return next(frame.value for frame in app.dataframe if column in frame.value.columns)


def pressed(app, key):
    """The page after a click on that button."""
    return app.button(key=key).click().run()


def waited_for(app):
    """The page once none of its files is being read any more."""
    wait_for(lambda: not any(each.label == "Stop" for each in app.button) or not app.run())
    return app


def shown(app, **views):
    """The page after each choice named was made in turn: of a row of buttons, of a list, or of those behind More."""
    for key, value in views.items():
        if key in keys(app.selectbox):
            app.selectbox(key=key).set_value(value).run()
        elif key == "ge_results" and VIEWS[value] not in app.segmented_control(key=key).options:
            app.menu_button(key="ge_more").click(value).run()
        elif (key, value) == ("ge_view", "versions"):
            pressed(shown(app, ge_view="text"), "ge_open_versions")
        else:
            app.segmented_control(key=key).set_value(value).run()
    return app


def keep_group(app, key, name="kept"):
    """The page after what it lists there was kept as a group of that name."""
    app.text_input(key=f"{key}_name").set_value(name).run()
    return pressed(app, f"{key}_keep")


def keys(elements):
    """The keys of elements, such as ``app.button``."""
    return [element.key for element in elements]


def waited(app, workbench, kind=None):
    """The newest Run, of a kind if one is given, once it is done; the page has been run again."""
    run = workbench.store.runs(workbench.store.default_project(), kind)[0]
    made = ended(workbench, run.id)
    app.run()
    return made
