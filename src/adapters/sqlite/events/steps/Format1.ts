import type Database from "better-sqlite3"

// Frozen: files of format 1 exist, so what this step makes must never change. Any change of the format is a new step.

/** "GKEV", which marks a file as an event file of Gamekeeper. */
export const applicationId = 0x474b4556

const tables = `
create table environment (
  id integer primary key,
  next_sequence integer not null
) strict;
create table tail (
  id integer primary key autoincrement,
  events integer not null,
  data blob not null
) strict;
create table segment (
  id integer primary key autoincrement,
  environment_id integer not null,
  type text,
  rows integer not null,
  first_timestamp integer not null,
  last_timestamp integer not null,
  last_sequence integer not null,
  columns text not null
) strict;
create index segment_by_type on segment (environment_id, type, first_timestamp);
create table segment_column (
  id integer primary key,
  data blob not null
) strict;
create table unit (
  environment_id integer not null,
  id integer not null,
  name any not null,
  primary key (environment_id, id)
) strict, without rowid;
create unique index unit_by_name on unit (environment_id, name);
create table session (
  environment_id integer not null,
  id integer not null,
  name any not null,
  primary key (environment_id, id)
) strict, without rowid;
create unique index session_by_name on session (environment_id, name);
create table receipt (
  environment_id integer not null,
  first_sequence integer not null,
  last_sequence integer not null,
  data blob not null,
  primary key (environment_id, first_sequence)
) strict, without rowid;
create table key_run (
  id integer primary key autoincrement,
  environment_id integer not null,
  day integer not null,
  keys integer not null,
  first_sequence integer not null,
  last_sequence integer not null,
  fences blob not null,
  filter blob not null
) strict;
create table key_page (
  id integer primary key,
  data blob not null
) strict;
create table seen_type (
  environment_id integer not null,
  type text not null,
  first_seen_at integer not null,
  last_seen_at integer not null,
  primary key (environment_id, type)
) strict, without rowid;
create table seen_day (
  environment_id integer not null,
  type text not null,
  day integer not null,
  events integer not null,
  primary key (environment_id, type, day)
) strict, without rowid;
create table seen_name (
  environment_id integer not null,
  source text not null,
  name text not null,
  type text not null,
  kinds text not null,
  last_seen_at integer not null,
  counts text not null,
  primary key (environment_id, source, name, type)
) strict;
`

/** Makes an empty file one of format 1. */
export const toFormat1 = (db: Database.Database): void => {
  db.exec(tables)
  db.pragma(`application_id = ${applicationId}`)
}
