/** The findings of projects from report to report, triage decisions, and how many findings were open on each day. */
import type { Statements } from '../migration.ts';

export const findings: Statements = ({ bytes, underPrimaryKey }) => [
  // Rows are found by the primary key.
  `create table project_findings (
    project_id text not null references projects (id) on delete cascade,
    identity ${bytes} not null,
    tool ${bytes},
    is_weak integer not null,
    status text not null,
    severity text not null,
    decision integer,
    is_open integer not null,
    present integer not null,
    present_from integer,
    present_severity text,
    is_held integer not null,
    first_seen_at bigint not null,
    last_seen_at bigint not null,
    status_at bigint not null,
    until bigint,
    areas ${bytes},
    earlier_identities ${bytes},
    constraint project_findings_key primary key (project_id, identity)
  ) ${underPrimaryKey}`,
  `create index project_findings_by_last_seen on project_findings (last_seen_at)`,
  `create index project_findings_by_lapse on project_findings (project_id, until) where until is not null`,
  // Few findings of a project had another identity before.
  `create index project_findings_renamed on project_findings (project_id) where earlier_identities is not null`,

  `create table status_changes (
    report_id text not null references reports (id) on delete cascade,
    finding_id text not null,
    number integer not null,
    user_id text not null,
    decision integer not null,
    from_status text not null,
    to_status text not null,
    action text,
    is_lapse integer not null,
    changed_at bigint not null,
    until bigint,
    constraint status_changes_by_finding primary key (report_id, finding_id, number)
  )`,

  `create table finding_decisions (
    project_id text not null references projects (id) on delete cascade,
    number integer not null,
    identity ${bytes} not null,
    report_id text not null,
    finding_id text not null,
    user_id text not null,
    undo_id text not null,
    status text not null,
    severity text not null,
    reason text,
    decided_at bigint not null,
    until bigint,
    previous_status text,
    previous_severity text,
    previous_decision integer,
    note ${bytes},
    constraint finding_decisions_key primary key (project_id, number)
  )`,
  `create index finding_decisions_by_finding on finding_decisions (project_id, identity, number)`,
  `create index finding_decisions_by_undo on finding_decisions (undo_id)`,

  `create table finding_days (
    project_id text not null references projects (id) on delete cascade,
    day text not null,
    ${counts},
    constraint finding_days_key primary key (project_id, day)
  )`,

  `create table finding_tool_days (
    project_id text not null references projects (id) on delete cascade,
    day text not null,
    tool ${bytes} not null,
    ${counts},
    constraint finding_tool_days_key primary key (project_id, day, tool)
  )`,
  `create index finding_tool_days_by_day on finding_tool_days (day)`,

  `create table finding_fixes (
    project_id text not null references projects (id) on delete cascade,
    identity ${bytes} not null,
    tool ${bytes} not null,
    severity text not null,
    first_seen_at bigint not null,
    fixed_at bigint not null,
    constraint finding_fixes_key primary key (project_id, fixed_at, identity)
  )`,
];

const counts = ['critical', 'high', 'medium', 'low', 'info', 'opened', 'fixed', 'set_aside']
  .map((count) => `${count} integer not null`)
  .join(', ');
