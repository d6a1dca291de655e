/** The table of the metadata's file with its own random id and that of its event file; null: of the next one that comes. */
export const pairTable = `create table if not exists file_pair (
  own text not null,
  partner text
) strict`

/** Gives the file its id, where it has none yet. */
export const pairRow = `insert into file_pair (own, partner)
  select lower(hex(randomblob(16))), null where not exists (select 1 from file_pair)`
