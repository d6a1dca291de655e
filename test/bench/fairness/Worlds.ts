// What the attacker of the benchmark of fairness has: as much as fills an experiment, a deeplink and an environment.
import Database from "better-sqlite3"
import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { assignments as summedAssignments } from "../../../src/adapters/sql/sums/SummedTables.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { giveSums } from "../../support/operations/RowSums.ts"
import { fetchRequest } from "../../support/Server.ts"

/** How many of each there are. */
export interface Amounts {
  readonly assignments: number
  readonly clicks: number
}

/** An experiment; who is assigned to it is written into the file of the stopped server. */
export const experimentOf = async (url: string, studio: Studio): Promise<number> => {
  const path = `/application/${studio.applicationId}/v2`
  const create = async (where: string, body: object) => {
    const answer = await fetchRequest(url)("POST", path + where, { headers: studio.cookie, body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  const configuration = await create("/configuration", { name: "crowded", configuration: { a: 1 } })
  const groups = ["a", "b"].map((name) => ({ name, weight: 5000 }))
  const experiment = { name: "crowded", unitType: "user", assignmentMode: "weightedHash", groups }
  return (await create("/experiments", { ...experiment, baseConfigurationId: configuration.id })).id
}

/** A deeplink; its clicks and conversions are written into the file of the stopped server. */
export const linkOf = async (url: string, studio: Studio): Promise<string> => {
  const body = { name: "followed", type: "web_url", redirectUrl: "https://studio.example" }
  const answer = await fetchRequest(url)("POST", `/application/${studio.applicationId}/deeplinks`, {
    headers: studio.cookie,
    body
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}

const follow = (database: Database.Database, link: string, environmentId: number, clicks: number) => {
  const many = "with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)"
  const far = Date.now() + 86_400_000
  database
    .prepare(
      `${many} insert into deeplink_clicks select hex(randomblob(16)), ?, ?, ?, null, null, 'phone', 'v' || i from n`
    )
    .run(clicks, link, Date.now(), far)
  database.prepare(`${many} insert into deeplink_visitors select ?, 'v' || i from n`).run(clicks, link)
  database
    .prepare(
      `${many} insert into deeplink_conversions select hex(randomblob(16)), 'f' || i, ?, ?, ?, ?, ?, null, null, 'phone' from n`
    )
    .run(clicks, link, environmentId, Date.now(), far, Date.now())
}

/** Fills the studio's environment, so that its funnels are heavy. */
export const play = async (url: string, key: string, markers: number) => {
  const atOnce = 1000
  for (let sent = 0; sent < markers; sent += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, n) => ({
      markerId: randomUUID(),
      timestamp: Date.now() - (((sent + n) * 7919) % (40 * 86_400_000)),
      type: ["Login", "Wide"][n % 2],
      userId: `u${((sent + n) * 31) % 20_000}`,
      value: { level: n % 60 }
    }))
    const headers = { authorization: key, environment: "production" }
    const { status, text } = await fetchRequest(url)("POST", "/sdk/v1/markers", { headers, body: { markers: batch } })
    if (status !== 200) throw new Error(text)
  }
}

/** Writes assignments, clicks and conversions into the file of a server that is stopped. */
export const fill = (
  file: string,
  { experimentId, link, environmentId }: Readonly<{ experimentId: number; link: string; environmentId: number }>,
  { assignments, clicks }: Amounts
) => {
  const database = new Database(file)
  follow(database, link, environmentId, clicks)
  database
    .prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
       insert into assignments (experiment_id, distinct_id, environment_id, unit_type, group_id, automatic_group_id, status, source,
         version, assigned_at)
       select ?, 'unit-' || i, ?, 'user', 1, 1, 'active', 'weightedHash', 1, 1700000000000 + i from n`
    )
    .run(assignments, experimentId, environmentId)
  database
    .prepare(
      `insert into assignment_totals (experiment_id, environment_id, group_id, status, count) values (?, ?, 1, 'active', ?)
       on conflict (experiment_id, group_id, status) do update set count = count + excluded.count`
    )
    .run(experimentId, environmentId, assignments)
  giveSums(database, summedAssignments)
  database.close()
  // The server takes the file as it is now.
  rmSync(`${file}-sums`)
}
