import type Database from "better-sqlite3"

// Frozen: files of format 7 exist, so what this step makes must never change. Any change of the format is a new step.

const keyLayout = `
alter table key_run add column layout integer;
`

/** Brings a file of format 6 to format 7: pages of marker ids may be packed, which the layout of their run tells. */
export const toFormat7 = (db: Database.Database): void => {
  db.exec(keyLayout)
}
