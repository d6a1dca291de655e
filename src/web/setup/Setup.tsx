import { dayMillis } from "../../domain/Durations.ts"
import { useState } from "react"
import { Link } from "wouter"
import { useNewestMarkers } from "../api/questions.ts"
import { useStream, useStreamStatus } from "../api/Stream.ts"
import type { LiveRow } from "../markers/LiveRows.ts"
import { refusedRows } from "../markers/LiveRows.ts"
import { RefusedRow } from "../markers/RefusedRow.tsx"
import { ServerState } from "../shell/ServerState.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Callout, Failed, Skeleton } from "../ui/States.tsx"
import { FirstChart } from "./FirstChart.tsx"
import { MintKey } from "./MintKey.tsx"
import { NextSteps } from "./NextSteps.tsx"
import { snippetsOf } from "./Snippets.ts"
import { Step } from "./Step.tsx"
import { useGameKeys } from "./useGameKeys.ts"
import "../theme/setup.css"

/** Milliseconds between looks for a marker while there is no stream. */
const lookEvery = 2000
/** Refused markers that are shown. */
const mostRefused = 5
/** Days back in which a marker counts as arrived: as many as an offline game may be late. */
const lookBackDays = 30

/** The newest markers of the environment, whenever they happened lately. */
const newest = (now: number) => ({
  from: new Date(now - lookBackDays * dayMillis).toISOString(),
  to: new Date(now + dayMillis).toISOString(),
  limit: 5
})

/** The first run: from a key to a chart, without leaving the page. */
export const Setup = () => {
  const { applicationId, environment } = useProject()
  const where = useWhere()
  const [token, setToken] = useState<string | null>(null)
  const others = useGameKeys()
  const [language, setLanguage] = useState("curl")
  const [now] = useState(() => Date.now())
  const status = useStreamStatus(where)
  const markers = useNewestMarkers(where, newest, ["setup"], status === "open" ? false : lookEvery)
  const look = () => void markers.refetch()
  const [refused, setRefused] = useState<ReadonlyArray<LiveRow>>([])
  useStream(where, "open", look)
  useStream(where, "markers", look)
  useStream(where, "rejected", (told) => setRefused((rows) => [...refusedRows(told), ...rows].slice(0, mostRefused)))
  const [marker] = markers.data?.items ?? []
  const hasArrived = marker !== undefined
  const facts = { server: window.location.origin, key: token ?? "YOUR_PUBLIC_KEY", environment: environment.alias }
  const snippets = snippetsOf(facts, now)
  const snippet = snippets.find(({ id }) => id === language)
  const chart =
    marker === undefined
      ? ""
      : `?m=${encodeURIComponent(marker.type.replaceAll("%", "%25").replaceAll(":", "%3A"))}:totalEvents&range=24h`
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Setup</h1>
          <p>From nothing to the first chart of {environment.name}. Each step lights up by itself.</p>
        </div>
      </header>
      <ServerState />
      <ol className="steps card">
        <Step isDone={token !== null || others.names.length > 0 || hasArrived} title="Make a public key">
          {others.isAsking ? (
            <Skeleton height={64} />
          ) : (
            <MintKey
              token={token}
              others={others.names}
              unknown={others.error}
              isNext={!hasArrived && others.names.length === 0}
              onToken={setToken}
            />
          )}
        </Step>
        <Step isDone={hasArrived} title="Send a marker">
          <p>A marker is one thing that happened in the game. Run this, or put it into the game:</p>
          <Segmented
            label="Language"
            value={language}
            choices={snippets.map(({ id, name }) => [id, name])}
            onChoose={setLanguage}
          />
          <div className="snippet">
            <pre tabIndex={0} aria-label={`How to send a marker: ${snippet?.name ?? ""}`}>
              <code>{snippet?.text}</code>
            </pre>
            <CopyButton text={snippet?.text ?? ""} />
          </div>
          {snippet !== undefined && (
            <p>
              This shows that it works. A game takes{" "}
              <a href={`/docs/guide/reference/${snippet.client[1]}`} target="_blank" rel="noreferrer">
                {snippet.client[0]}
              </a>
              , which {snippet.client[2]}.
            </p>
          )}
        </Step>
        <Step isDone={hasArrived} title="See it arrive">
          <div aria-live="polite">
            {markers.error !== null && marker === undefined ? (
              <Failed error={markers.error} retry={look} />
            ) : markers.data === undefined ? (
              <Skeleton height={32} />
            ) : marker === undefined ? (
              <p className="waiting">
                <i className="pulse" />
                Waiting for the first marker of {environment.name} …
              </p>
            ) : (
              <>
                <Callout tone="good">
                  <b>{marker.type}</b> of {marker.unitId ?? "the game"} arrived at{" "}
                  <Moment at={marker.receivedAt} as="clock" />.
                </Callout>
                <pre className="marker-json" tabIndex={0} aria-label="The newest marker">
                  <code>{JSON.stringify({ ...marker.arguments, ...marker.properties }, null, 2)}</code>
                </pre>
              </>
            )}
            {refused.length > 0 && (
              <>
                <Callout tone="bad">
                  {refused.length === 1 ? "A marker was" : "Markers were"} refused. Put right what is wrong and send
                  again.
                </Callout>
                {refused.map((row) =>
                  row.kind === "refused" ? <RefusedRow key={row.key} marker={row.marker} at={row.at} /> : null
                )}
              </>
            )}
          </div>
        </Step>
        <Step isDone={hasArrived} title="Look at the first chart">
          {hasArrived && (
            <div className="first-chart">
              <FirstChart parameters={chart} />
            </div>
          )}
          <p>Count it, break it down by platform or level, compare it with before.</p>
          <Link
            className={hasArrived ? "button button-primary" : "button"}
            href={`/p/${applicationId}/${environment.alias}/insights${chart}`}
          >
            Open Insights
          </Link>
        </Step>
        <NextSteps />
      </ol>
    </div>
  )
}
