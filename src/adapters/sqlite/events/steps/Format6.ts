import type Database from "better-sqlite3"

// Frozen: files of format 6 exist, so what this step makes must never change. Any change of the format is a new step.

const tables = `
create table page_token (
  id integer primary key check (id = 1),
  token blob not null
) strict;
`

/** Brings a file of format 5 to format 6: a token that tells which state of the file its checksums describe. */
export const toFormat6 = (db: Database.Database): void => {
  db.exec(tables)
}
