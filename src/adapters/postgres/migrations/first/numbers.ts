import { text } from "../Statements.ts"

/**
 * The highest id that each table has given. A sequence of PostgreSQL would skip the ids of what is undone, and ids would differ from those of
 * the other stores. A transaction that takes a number has the row of its table until it ends, so numbers are in the order of commits.
 */
export const numbers = [
  `create table counters (
     name ${text} primary key,
     last bigint not null
   ) with (fillfactor = 50)`,
  `create function next_number(counter text) returns bigint language sql volatile as $$
     insert into counters (name, last) values (counter, 1)
     on conflict (name) do update set last = counters.last + 1 returning last
   $$`
]
