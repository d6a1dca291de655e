import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { call } from "../api/client.ts"
import { isRefusal } from "../api/Failure.ts"
import { useStream } from "../api/Stream.ts"
import { useWhere } from "../shell/Project.tsx"
import { percentText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import type { Run } from "./Runs.ts"
import { removeRun } from "./Runs.ts"

/** Milliseconds between two looks at a run; the stream tells earlier where it can. */
const lookEvery = 2000

const isOver = (state: string | undefined): boolean =>
  state === "succeeded" || state === "failed" || state === "canceled"

/** A question that runs in the background, or did: how far it is, and the way to its answer. */
export const RunToast = ({ run }: { readonly run: Run }) => {
  const { applicationId, environmentId, queryId, executionId, name, href, queryKey, asked } = run
  const client = useQueryClient()
  const where = useWhere()
  const [, navigate] = useLocation()
  const request = { path: { applicationId, queryId }, environment: environmentId, body: { executionId } }
  const { data, error, refetch } = useQuery({
    queryKey: ["execution", executionId],
    queryFn: ({ signal }) => call("savedQueries.state", { ...request, signal }),
    // Where the server is away for a moment, the run may go on.
    refetchInterval: ({ state }) => (isOver(state.data?.state) || isRefusal(state.error) ? false : lookEvery),
    staleTime: Infinity
  })
  useStream(where, "execution", (told) => {
    if (told.executionId === executionId) void refetch()
  })
  const leave = () => {
    removeRun(executionId)
    if (!isOver(data?.state)) void call("savedQueries.cancel", request).catch(() => undefined)
  }
  const open = () => {
    // What took so long is not asked once more because the answer is some seconds old.
    client.setQueryDefaults(queryKey, { staleTime: Infinity })
    client.setQueryData(queryKey, { answer: data?.result, asked })
    removeRun(executionId)
    navigate(href)
  }
  const { rowsScanned = 0, rowsTotal = 0 } = data?.progress ?? {}
  const failure = error?.message ?? data?.error?.message
  return (
    <li className="toast">
      <span role="status">
        <b>{name}</b>{" "}
        {failure !== undefined
          ? failure
          : data?.state === "succeeded"
            ? "is answered."
            : data?.state === "canceled"
              ? "was cancelled."
              : rowsTotal > 0
                ? `${percentText((rowsScanned / rowsTotal) * 100, 0)} of the markers read …`
                : "runs in the background …"}
      </span>
      {data?.state === "succeeded" && (
        <button type="button" className="button button-small button-primary" onClick={open}>
          Open the answer
        </button>
      )}
      <button
        type="button"
        className="button button-icon button-quiet"
        aria-label={isOver(data?.state) ? `Close: ${name}` : `Cancel: ${name}`}
        onClick={leave}
      >
        <Icon name="cross" size={14} />
      </button>
    </li>
  )
}
