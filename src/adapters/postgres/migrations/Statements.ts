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

/**
 * Has every column that `goesWith` has declared so far refuse new rows whose record is not there, as foreign keys do. Each statement looks for
 * the records that its rows name; it locks none of them, because whoever removes one has the metadata for itself meanwhile (`Client.ts`).
 */
export const refusesOrphans = `do $do$
  declare
    reference record;
    name text;
  begin
    for reference in
      select tables.relname as child, columns.attname as own, substr(comments.description, length('goes with ') + 1) as parent
      from pg_description comments
      join pg_class tables on tables.oid = comments.objoid and comments.classoid = 'pg_class'::regclass
      join pg_attribute columns on columns.attrelid = tables.oid and columns.attnum = comments.objsubid
      where comments.description like 'goes with %' and tables.relnamespace = current_schema()::regnamespace
    loop
      -- These are counted by triggers, also while the assignments of what was removed go.
      continue when reference.child = 'assignment_totals';
      name := reference.child || '_' || reference.own || '_is_there';
      continue when exists (
        select 1 from pg_trigger where tgname = name and tgrelid = quote_ident(reference.child)::regclass
      );
      execute format($create$
        create function %1$I() returns trigger language plpgsql as $function$
        declare
          named %4$I.id%%type;
        begin
          for named in select distinct %3$I from given where %3$I is not null loop
            perform 1 from %4$I where id = named;
            if not found then
              raise foreign_key_violation using message =
                format('a row of %2$s names %%s of %4$s, which is not there', named);
            end if;
          end loop;
          return null;
        end $function$$create$, name, reference.child, reference.own, reference.parent);
      execute format(
        'create trigger %1$I after insert on %2$I referencing new table as given for each statement execute function %1$I()',
        name, reference.child
      );
    end loop;
  end $do$`
