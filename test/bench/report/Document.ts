import { table } from "../../../schema/MarkdownTable.ts"
import { type MustHold, mustHold } from "./MustHold.ts"
import { shown } from "./Numbers.ts"
import type { Measured, Results } from "./Results.ts"
import { aimText, metText, type Row, spreadText, type Subject, valueText } from "./Row.ts"

const heads = ["what", "beside", "figure", "aim", "met", "rounds: least to most, how many", "more"]

const cells = (each: Row): ReadonlyArray<string> => [
  each.what,
  each.peer,
  valueText(each),
  aimText(each),
  metText(each),
  spreadText(each),
  each.note
]

const unmeasured = ({ what, peer, ...rest }: Subject): ReadonlyArray<string> => [
  what,
  peer,
  "not measured",
  aimText(rest),
  "",
  "",
  ""
]

const rowsOf = ({ benches }: Results): ReadonlyArray<Row> => Object.values(benches).flatMap(({ rows }) => rows)

/** The table of what must hold, complete also where something was not measured. */
export const mustHoldTable = (results: Results): string => {
  const rows = new Map(rowsOf(results).map((each) => [each.id, each]))
  const lines = Object.entries(mustHold).map(([id, subject]) => {
    const measured = rows.get(id)
    return measured === undefined ? unmeasured(subject) : cells(measured)
  })
  return table(heads, lines)
}

const otherTables = ({ benches }: Results): string => {
  const others = Object.values(benches).flatMap(({ rows }) => rows.filter(({ id }) => !Object.hasOwn(mustHold, id)))
  return others.length === 0 ? "Not measured yet." : table(heads, others.map(cells))
}

const detailTables = ({ benches }: Results): string =>
  Object.values(benches)
    .flatMap(({ details }) => details)
    .map(({ title, heads: names, lines }) => `### ${title}\n\n${table(names, lines)}\n`)
    .join("\n")

const stateOf = ({ failure }: Measured): string => failure ?? "complete"

const runsTable = ({ benches }: Results): string =>
  table(
    ["benchmark", "state", "day", "markers", "rounds", "minutes", "load before", "commit"],
    Object.entries(benches).map(([name, each]) => [
      name,
      stateOf(each),
      each.day,
      each.events === 0 ? "" : shown(each.events),
      String(each.rounds),
      shown(each.seconds / 60),
      each.load.toFixed(1),
      each.commit
    ])
  )

const introduction = `# Benchmarks

\`npm run bench\` writes this page: every figure in it was printed by that command, on the machine and in the runs that the end of the page names.

It answers what a studio asks before it moves its live-ops onto one machine: how much that machine can take, how long a chart is waited for, and what that
costs in disk and memory. Seconds say little, because they belong to the machine. So nearly every figure is a **ratio**: the same work was
done by something that you may know, on the same machine, in turn, a few minutes or seconds apart.

- **Questions** are 14 that dashboards ask: counts, unique players, percentiles, funnels, retention, heatmaps, filters and breakdowns. DuckDB and ClickHouse
  answer the same questions over the same markers, with the SQL and the functions that answer them fastest (\`windowFunnel\`, \`uniqExact\`,
  \`quantilesExactInclusive\`), and with their rows in the order that suits them best. DuckDB is shown a second time with its rows in order of arrival, as a table is
  without care. The numbers of all answers are compared before any time counts. 7 means that Gamekeeper took a seventh of the time.
- **Warm** means that each engine has answered the question five times before its time counts, so that its data is in memory and its code compiled (ours
  is JavaScript, which the first rounds compile); no answer is taken from a cache of answers.
  **First question of a process** means a process that has just been started; there the figure is a time, and less is better.
- **Markers** (events of a game) count as taken in when they are on disk, for both sides. The peer over HTTP is the smallest server that can do it: Node's own
  HTTP server, \`JSON.parse\`, and one insert for each marker into SQLite, one commit for each request.
- **Evaluations** (a player's configuration, with the changes of 10 experiments) stand beside a server that does nothing but read or write one row for each player.
- **Start** is compared with the first release, which is built for it, on a data folder of its own with the same markers.

Each figure is the median of several rounds in which both sides took turns; the last column shows the least and the most of them. An aim that is missed says **no**: aims are set ahead of
what is reached.
`

const howTo = `## How to repeat it

\`\`\`sh
node test/cluster/install.mjs                      # ClickHouse (chDB), once; Linux x64 alone
npm run bench -- --events 1e7 --rounds 5           # this page; an hour or two
npm run bench -- --quick                           # shows in minutes that it works, and leaves this page alone
npm run bench -- --only questions,first            # some of it again; the other lines stay as they are
npm run bench -- --resume                          # what an earlier run did not get to
npm run bench -- --only growth --sizes 1e6,1e7,3e7,1e8
npx tsx test/bench/Growth.ts --sizes 1e6,1e7       # one benchmark alone prints its lines and writes nothing
\`\`\`

Let the machine do nothing else meanwhile. \`--only\` takes the names of the last table. Markers are made up, always the same ones: 60 days of a game, 30 types whose
frequencies follow Zipf's law, a hundred markers for each player, 2 % of them hours late.
`

/** The whole page. */
export const document = (results: Results): string =>
  [
    introduction,
    `## What must hold\n\n${mustHoldTable(results)}\n`,
    `## Other figures\n\n${otherTables(results)}\n`,
    ...(detailTables(results) === "" ? [] : [`## In detail\n\n${detailTables(results)}`]),
    `## The machine and the runs\n\n${results.machine.length === 0 ? "Not measured yet." : table(["what", "which"], results.machine)}\n`,
    ...(Object.keys(results.benches).length === 0 ? [] : [`${runsTable(results)}\n`]),
    howTo
  ].join("\n")

const [begin, end] = ["<!-- benchmarks: written by npm run bench -->", "<!-- /benchmarks -->"]

const beside = (figure: string, what: string, peer: string) => `- ${figure} × ${what} (${peer})`

/** Three lines of the table in words, of those that were measured. */
export const quoted = (results: Results): ReadonlyArray<string> => {
  const rows = new Map(rowsOf(results).map((each) => [each.id, each]))
  const value = (id: MustHold): string | null => {
    const measured = rows.get(id)
    return measured === undefined ? null : shown(measured.value)
  }
  const [duck, clickHouse, ingest] = [
    value("questions.sorted.mean"),
    value("questions.clickHouse.mean"),
    value("http.ingest")
  ]
  const markers = shown(results.benches["questions"]?.events ?? 0)
  return [
    ...(duck === null
      ? []
      : [beside(duck, `as fast as DuckDB with sorted rows`, `14 questions over ${markers} markers, geometric mean`)]),
    ...(clickHouse === null
      ? []
      : [beside(clickHouse, "as fast as ClickHouse (chDB) with its own functions", "the same questions")]),
    ...(ingest === null
      ? []
      : [beside(ingest, "the markers a second of a bare node:http server with better-sqlite3", "over HTTP, on disk")])
  ]
}

/** The text with its three lines between the two comments; as it is where they are missing, or where nothing was measured. */
export const withQuotes = (text: string, results: Results): string => {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  const lines = quoted(results)
  if (from === -1 || to < from || lines.length === 0) return text
  return `${text.slice(0, from + begin.length)}\n\n${lines.join("\n")}\n\n${text.slice(to)}`
}
