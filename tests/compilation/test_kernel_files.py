"""Where compiled kernels are kept."""

import os
from pathlib import Path

from core.compilation.kernel_files import FOLDER, require_folder


def test_where_no_folder_can_be_written_one_is_made_for_this_process(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv(FOLDER, "unset at the end")
    closed = tmp_path / "file"
    closed.write_text("no folder")
    require_folder(None, code=closed, user=tmp_path / "cache")
    assert os.environ[FOLDER] == "unset at the end" and not caplog.records
    require_folder(str(closed / "named"), code=closed, user=closed / "cache")
    assert Path(os.environ[FOLDER]).is_dir()
    (record,) = caplog.records
    assert f"{closed / 'cache'} cannot be written" in record.getMessage()
