"""Unname: release text about people without releasing the people.

The whole public surface is here; heavier parts load when they are first used.
"""

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from unname.errors import InputError, ModelError, SettingsError, StateError, UnnameError, UnsafeReleaseError
from unname.job import AuditPlan, Deidentification, Job, Output, Source, make_job
from unname.runtime import Runtime
from unname.types import Document, Mask, MaskSpan, Profile, Release, Span

if TYPE_CHECKING:
    from unname.auditing.report import Report
    from unname.auditing.report_file import read_report
    from unname.knowledge.fictional import Town, fictional_town
    from unname.knowledge.population import Population, make_population
    from unname.protecting.look import Look
    from unname.protecting.parts import Fitted
    from unname.protecting.result import Deidentified
    from unname.verbs.audit.files import audit_files
    from unname.verbs.audit.in_memory import Audit, Kept, Knowledge, PreparedAudit, audit, prepare
    from unname.verbs.audit.options import AuditJob, make_audit_job
    from unname.verbs.deidentify.files import deidentify_files
    from unname.verbs.deidentify.in_memory import deidentify
    from unname.verbs.deidentify.review import Review, look_again, review_of
    from unname.verbs.evaluate.options import Scoring
    from unname.verbs.evaluate.run import Evaluation, evaluate, evaluate_files
    from unname.verbs.reidentify.run import reidentify

__version__ = _version("unname")
_HOMES = {
    name: home
    for home, names in {
        "auditing.report": ("Report",),
        "auditing.report_file": ("read_report",),
        "knowledge.fictional": ("Town", "fictional_town"),
        "knowledge.population": ("Population", "make_population"),
        "protecting.look": ("Look",),
        "protecting.parts": ("Fitted",),
        "protecting.result": ("Deidentified",),
        "verbs.audit.in_memory": ("Audit", "Kept", "Knowledge", "PreparedAudit", "audit", "prepare"),
        "verbs.audit.options": ("AuditJob", "make_audit_job"),
        "verbs.audit.files": ("audit_files",),
        "verbs.deidentify.in_memory": ("deidentify",),
        "verbs.deidentify.files": ("deidentify_files",),
        "verbs.deidentify.review": ("Review", "look_again", "review_of"),
        "verbs.evaluate.options": ("Scoring",),
        "verbs.evaluate.run": ("Evaluation", "evaluate", "evaluate_files"),
        "verbs.reidentify.run": ("reidentify",),
    }.items()
    for name in names
}
__all__ = [
    "Audit",
    "AuditJob",
    "AuditPlan",
    "Deidentification",
    "Deidentified",
    "Document",
    "Evaluation",
    "Fitted",
    "InputError",
    "Job",
    "Kept",
    "Knowledge",
    "Look",
    "Mask",
    "MaskSpan",
    "ModelError",
    "Output",
    "Population",
    "PreparedAudit",
    "Profile",
    "Release",
    "Report",
    "Review",
    "Runtime",
    "Scoring",
    "SettingsError",
    "Source",
    "Span",
    "StateError",
    "Town",
    "UnnameError",
    "UnsafeReleaseError",
    "__version__",
    "audit",
    "audit_files",
    "deidentify",
    "deidentify_files",
    "evaluate",
    "evaluate_files",
    "fictional_town",
    "look_again",
    "make_audit_job",
    "make_job",
    "make_population",
    "prepare",
    "read_report",
    "reidentify",
    "review_of",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"unname.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'unname' has no attribute {name!r}")
