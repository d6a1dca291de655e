import { endpoints } from "../api/Endpoints.ts"
import type { Where } from "../api/queries.ts"
import type { Words } from "../charts/Picture.ts"
import { pngOf, svgText } from "../charts/Picture.ts"
import type { TableCell } from "../../domain/analytics/table/Table.ts"
import { csvOf } from "../../domain/analytics/table/Csv.ts"
import { curlText } from "../text/Curl.ts"
import { download } from "../text/Download.ts"

export type ExportKind = "png" | "svg" | "csv" | "curl"

/** An answer that leaves the page, in the forms that its reader may choose. */
export interface Exportable {
  /** What files are called. */
  readonly name: string
  readonly where: Where
  readonly endpoint: "queries.insights" | "queries.funnels" | "queries.retention"
  readonly body: unknown
  readonly rows: () => ReadonlyArray<ReadonlyArray<TableCell>>
  /** The chart as it is on the page or as it is drawn for this; null where there is none. */
  readonly drawing: () => SVGSVGElement | null
  readonly words: () => Words
}

/** Hands the answer to its reader in one of its forms; what happened, in words. */
export const handOut = async (kind: ExportKind, exported: Exportable): Promise<string> => {
  const { name, where, endpoint, body } = exported
  if (kind === "csv") {
    download(`${name}.csv`, "text/csv", csvOf(exported.rows()))
    return "The table is downloaded"
  }
  if (kind === "curl") {
    const [method = "", path = ""] = endpoints[endpoint].split(" ")
    const address = location.origin + path.replace(":applicationId", String(where.applicationId))
    const line = curlText({ method, address, environmentId: where.environmentId, body })
    if (!window.isSecureContext) {
      download(`${name}.sh`, "text/x-sh", line)
      return "The line is downloaded: pages without https have no clipboard"
    }
    await navigator.clipboard.writeText(line)
    return "The line is copied"
  }
  const chart = exported.drawing()
  if (chart === null) return "There is no chart to export"
  const svg = svgText(chart, exported.words())
  if (kind === "svg") download(`${name}.svg`, "image/svg+xml", svg)
  else download(`${name}.png`, "image/png", await pngOf(svg))
  return "The picture is downloaded"
}
