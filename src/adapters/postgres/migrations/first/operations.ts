import { goesWith, text } from "../Statements.ts"

export const operations = [
  `create table erased_units (
     environment_id bigint not null,
     fingerprint ${text} not null,
     erased_at bigint not null,
     primary key (environment_id, fingerprint)
   )`,
  goesWith("erased_units", "environment_id", "environments"),
  `create table erasures (
     environment_id bigint not null,
     unit_id ${text} not null,
     erased_at bigint not null,
     primary key (environment_id, unit_id)
   )`,
  goesWith("erasures", "environment_id", "environments"),
  `create table file_notes (
     name ${text} primary key,
     value bigint not null
   )`
]
