const columns = "experiment_id, environment_id, group_id, status"

const counting = (operation: string, rows: string): string => `
  create function assignments_${operation}() returns trigger language plpgsql as $$
  begin
    insert into assignment_totals as totals (${columns}, count)
      select ${columns}, sum(n) from (${rows}) as moved group by ${columns} having sum(n) <> 0 order by 1, 3, 4
      on conflict (experiment_id, group_id, status) do update set count = totals.count + excluded.count;
    return null;
  end $$`

const added = `select ${columns}, 1 as n from added`
const lost = `select ${columns}, -1 as n from lost`

/** Assignments are counted by group and status as they are written, once for each statement. */
export const totals = [
  counting("inserted", added),
  counting("deleted", lost),
  counting("updated", `${added} union all ${lost}`),
  `create trigger assignments_inserted after insert on assignments
     referencing new table as added for each statement execute function assignments_inserted()`,
  `create trigger assignments_deleted after delete on assignments
     referencing old table as lost for each statement execute function assignments_deleted()`,
  `create trigger assignments_updated after update on assignments
     referencing new table as added old table as lost for each statement execute function assignments_updated()`
]
