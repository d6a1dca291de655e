import { Effect, Layer } from "effect"
import type { CounterConfiguration, GaugeConfiguration, HistogramConfiguration, Registry } from "prom-client"
import type { Moment } from "../../domain/operations/Moment.ts"
import { Measures } from "../../ports/operations/Measures.ts"
import { familiesIn } from "./PrometheusFamilies.ts"

/** Upper limits in seconds: a poll takes less than a millisecond, a question may take half a minute. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const jobBuckets = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800]

/**
 * Counts for Prometheus with prom-client, which is loaded only where this is used. The metrics are described in docs/observability.md.
 * Those of the process (memory, processor, event loop, collections of garbage) have the names that prom-client gives them in every program.
 */
export const Prometheus = Layer.effect(
  Measures,
  Effect.map(
    Effect.promise(() => import("prom-client")),
    // A module of CommonJS has its names in `default` alone once it is built into the server.
    ({ default: client }) => {
      const registry: Registry = new client.Registry()
      const registers = [registry]
      const counter = <Label extends string>(told: CounterConfiguration<Label>) =>
        new client.Counter({ ...told, registers })
      const gauge = <Label extends string>(told: GaugeConfiguration<Label>) => new client.Gauge({ ...told, registers })
      const histogram = <Label extends string>(told: HistogramConfiguration<Label>) =>
        new client.Histogram({ ...told, registers })
      client.collectDefaultMetrics({ register: registry })

      const requests = counter({
        name: "gamekeeper_http_requests_total",
        help: "Requests that were answered, by operation of the API and status",
        labelNames: ["operation", "status"]
      })
      const durations = histogram({
        name: "gamekeeper_http_request_duration_seconds",
        help: "Time from the first byte of a request to the end of its answer, by operation; without streams",
        labelNames: ["operation"],
        buckets: requestBuckets
      })
      const markers = counter({
        name: "gamekeeper_markers_total",
        help: "Markers that came in, by what became of them",
        labelNames: ["result"]
      })
      // A series that is not there is not 0 to Prometheus: silence since the start, or a first failure, would be no change of anything.
      for (const result of ["stored", "duplicate", "rejected", "stale"]) markers.inc({ result }, 0)
      const rounds = counter({
        name: "gamekeeper_job_rounds_total",
        help: "Rounds of the jobs that run by themselves, by task and result",
        labelNames: ["task", "result"]
      })
      const roundDurations = histogram({
        name: "gamekeeper_job_duration_seconds",
        help: "Time that a round of a job took",
        labelNames: ["task"],
        buckets: jobBuckets
      })
      const version = gauge({ name: "gamekeeper_info", help: "1, with the version that runs", labelNames: ["version"] })
      const inFlight = gauge({
        name: "gamekeeper_http_requests_in_flight",
        help: "Requests that are not answered, open streams included"
      })
      const waiting = gauge({
        name: "gamekeeper_http_requests_waiting",
        help: "Requests that wait for their turn to begin"
      })
      const overloaded = gauge({
        name: "gamekeeper_ingest_overloaded",
        help: "1 while so many markers wait to be stored that further ones are refused"
      })
      const free = gauge({ name: "gamekeeper_disk_free_bytes", help: "Free bytes of the disk under the data folder" })
      const files = gauge({
        name: "gamekeeper_file_bytes",
        help: "Size of each file of the stores; the write-ahead logs end in -wal",
        labelNames: ["file"]
      })
      const problems = gauge({
        name: "gamekeeper_store_problems",
        help: "Problems of the stores that /ready names, by severity",
        labelNames: ["severity"]
      })

      const tell = (moment: Moment): void => {
        version.set({ version: moment.version }, 1)
        inFlight.set(moment.requestsInFlight)
        waiting.set(moment.requestsWaiting)
        overloaded.set(moment.isIngestOverloaded ? 1 : 0)
        free.set(moment.freeBytes ?? Number.NaN)
        files.reset()
        for (const { name, bytes } of moment.files) files.set({ file: name }, bytes)
        for (const [severity, count] of Object.entries(moment.problems)) problems.set({ severity }, count)
      }

      return {
        answered: (operation, status, seconds) => {
          requests.inc({ operation, status })
          if (seconds !== null) durations.observe({ operation }, seconds)
        },
        markers: (counts) => {
          markers.inc({ result: "stored" }, counts.ingestedMarkersCount)
          markers.inc({ result: "duplicate" }, counts.duplicateMarkersCount)
          markers.inc({ result: "rejected" }, counts.rejectedMarkersCount)
          markers.inc({ result: "stale" }, counts.staleMarkersCount)
        },
        ran: (task, seconds, isFailed) => {
          rounds.inc({ task, result: "done" }, isFailed ? 0 : 1)
          rounds.inc({ task, result: "failed" }, isFailed ? 1 : 0)
          if (seconds !== null) roundDurations.observe({ task }, seconds)
        },
        exposition: (moment) =>
          Effect.promise(() => {
            tell(moment)
            return registry.metrics()
          }).pipe(Effect.map((text) => ({ contentType: registry.contentType, text }))),
        families: (moment) =>
          Effect.promise(() => {
            tell(moment)
            return registry.getMetricsAsJSON()
          }).pipe(Effect.map(familiesIn))
      }
    }
  )
)
