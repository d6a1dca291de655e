import { useServerProblems } from "../api/readiness.ts"
import { Callout } from "../ui/States.tsx"
import { problemWords } from "./ServerWords.ts"

/** What is wrong with the server, where something is: in plain words, with what helps and the server's own words beneath. */
export const ServerState = () => (
  <div className="server-state" role="status">
    {useServerProblems().map((problem) => {
      const { title, advice } = problemWords(problem)
      return (
        <Callout key={`${problem.code} ${problem.store}`} tone={problem.severity === "unavailable" ? "bad" : "warning"}>
          <b>{title}</b> {advice}
          <br />
          <small>{problem.message}</small>
        </Callout>
      )
    })}
  </div>
)
