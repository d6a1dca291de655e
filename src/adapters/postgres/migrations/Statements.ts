/** What the repositories store are the types of SQLite's strict tables: `text`, `bigint`, `double precision`, `bytea`. Texts are compared by their bytes. */
export const text = `text collate "C"`

/** An id that a table gives itself: the ids of a table follow one another, and one whose row is undone is given again. */
export const ownId = (table: string): string => `bigint primary key default next_number('${table}')`

/**
 * A reference to a record that may have millions of rows. It is no foreign key, so that these are hidden as soon as the record is gone, and
 * deleted later, some at a time: `RemovedRows` finds them by this comment.
 */
export const goesWith = (table: string, column: string, parent: string): string =>
  `comment on column ${table}.${column} is 'goes with ${parent}'`
