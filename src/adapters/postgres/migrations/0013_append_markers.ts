import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  // The lines of a commit leave the log soon: to compress them takes as long as the rest of their way, except by lz4, with which not every
  // PostgreSQL was built.
  `do $$ begin
     alter table event_log alter column payload set compression lz4;
   exception when feature_not_supported then
     alter table event_log alter column payload set storage external;
   end $$`,
  // Takes the markers of a commit in. Whoever calls it has guessed the highest sequence so far and numbered the lines from there on; where
  // others have taken markers in meanwhile, or some of these are known, the lines are numbered again. While it waits for the row of the head
  // others may commit, and each of its statements sees what was committed before that statement. Where markers are known and names are
  // given, which may be theirs alone, it stores nothing: then the caller tries again without these markers.
  `create function append_markers(
     given_environment bigint, given_day bigint, given_from bigint, given_ids uuid[], guess bigint, lines bytea, names json
   ) returns table (highest bigint, is_removed boolean, is_stored boolean, known text[]) language plpgsql volatile as $$
   declare
     own event_head%rowtype;
     duplicates uuid[];
     fresh bigint := cardinality(given_ids);
     is_new boolean := false;
   begin
     loop
       select * into own from event_head where environment = given_environment for update;
       exit when found;
       insert into event_head (environment) values (given_environment) on conflict do nothing;
     end loop;
     if own.removed then
       return query select own.highest, true, false, '{}'::text[];
       return;
     end if;
     duplicates := array(
       select id from marker_key
       where marker_key.environment = given_environment and id = any(given_ids) and day >= given_from and day <> given_day
     );
     if cardinality(duplicates) = 0 then
       -- Nearly always none is known, which the key of the table tells as they are inserted.
       begin
         insert into marker_key (day, environment, id)
           select given_day, given_environment, id from unnest(given_ids) as given(id);
         is_new := true;
       exception when unique_violation then null;
       end;
     end if;
     if not is_new then
       duplicates := array(
         select distinct id from marker_key
         where marker_key.environment = given_environment and id = any(given_ids) and day >= given_from
       );
       if names is not null then
         return query select own.highest, false, false, duplicates::text[];
         return;
       end if;
       fresh := fresh - cardinality(duplicates);
     end if;
     if fresh > 0 and not is_new then
       insert into marker_key (day, environment, id)
         select given_day, given_environment, id from unnest(given_ids) as given(id) where id <> all(duplicates);
     end if;
     if fresh > 0 then
       if not is_new or own.highest <> guess then
         select convert_to(string_agg(
           '{"sequence":' || own.highest + nth || substr(line, strpos(line, ',')) || E'\\n', '' order by nth
         ), 'UTF8') into lines from (
           select line, row_number() over (order by place) as nth
           from unnest(given_ids, string_to_array(rtrim(convert_from(lines, 'UTF8'), E'\\n'), E'\\n'))
             with ordinality as given(id, line, place)
           where id <> all(duplicates)
         ) as kept;
       end if;
       insert into event_log (environment, first, n, payload)
         values (given_environment, own.highest + 1, fresh, lines);
       update event_head set highest = own.highest + fresh where event_head.environment = given_environment;
       if names is not null then
         insert into marker_name (environment, type, source, name)
           select given_environment, (given -> 0)::text, given ->> 1, (given -> 2)::text
           from json_array_elements(names) as given
           on conflict do nothing;
       end if;
     end if;
     return query select own.highest + fresh, false, true, duplicates::text[];
   end $$`
]

/** Markers are taken in by one statement. */
export const appendMarkers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
