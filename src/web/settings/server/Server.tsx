import { useMe } from "../../api/queries.ts"
import { InsteadOfPage } from "../../shell/InsteadOfPage.tsx"
import { bytesText, countText } from "../../text/Numbers.ts"
import { Moment } from "../../ui/Moment.tsx"
import { Callout, Empty, Failed, Skeleton } from "../../ui/States.tsx"
import { Section, SettingsPage } from "../Section.tsx"
import { Backups } from "./Backups.tsx"
import { useServerState } from "./ServerQueries.ts"

const States = {
  ready: "Everything works",
  degraded: "It works, and something is missing",
  unavailable: "It does not work"
}

const State = () => {
  const state = useServerState()
  if (state.data === undefined) {
    return state.error === null ? (
      <Skeleton height={160} />
    ) : (
      <Failed error={state.error} retry={() => void state.refetch()} />
    )
  }
  const { status, problems, alerts, freeBytes, files, requests, version, mailsTo } = state.data
  const others = problems.filter(({ message }) => alerts.every(({ text }) => text !== message))
  const facts: ReadonlyArray<readonly [name: string, value: string]> = [
    ["Version", version],
    ["Free disk", freeBytes === null ? "not known" : bytesText(freeBytes)],
    [
      "Requests of the last five minutes",
      `${countText(requests.answered, "request")}, of which ${requests.failed.toLocaleString("en-US")} failed`
    ],
    ...files.map(({ name, bytes }) => [name, bytesText(bytes)] as const)
  ]
  return (
    <>
      <Callout tone={status === "ready" ? "good" : status === "degraded" ? "warning" : "bad"}>
        {States[status]}.
      </Callout>
      {alerts.map(({ key, name, text, since }) => (
        <Callout key={key} tone="bad">
          {name}, since <Moment at={since} />: {text}
        </Callout>
      ))}
      {others.map(({ code, store, message }) => (
        <Callout key={`${code} ${store ?? ""}`}>{message}</Callout>
      ))}
      <ul className="entries">
        {facts.map(([name, value]) => (
          <li key={name}>
            <b>{name}</b>
            <span>{value}</span>
          </li>
        ))}
      </ul>
      <p className="faint">
        {mailsTo.length === 0
          ? "Nobody is told by mail when something breaks: the server sends no mails (--smtp)."
          : `When something breaks, ${mailsTo.join(" and ")} ${mailsTo.length === 1 ? "is" : "are"} told by mail.`}{" "}
        Webhooks that an owner of the server has made are told as well, where they ask for <code>server.problem</code>.
      </p>
    </>
  )
}

/** How the server is, and its backups, for the people who own it. */
export const Server = () => {
  const me = useMe()
  if (me.data?.ownsServer === false) {
    return (
      <InsteadOfPage>
        <Empty title="Not your server">
          Only owners of the server see its state and its backups, and owning a studio does not make one. Whoever runs
          the server starts it with <code>--owner {me.data.email}</code>, or sets <code>GAMEKEEPER_OWNER</code>; several
          addresses stand with commas between them. Then this page is yours.
        </Empty>
      </InsteadOfPage>
    )
  }
  return (
    <SettingsPage
      title="Server"
      lead="How this server is, and the backups of everything on it. Only its owners see this."
    >
      <Section title="State">
        <State />
      </Section>
      <Backups />
    </SettingsPage>
  )
}
