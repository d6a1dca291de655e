import { testClient } from "./TestClient.ts"

/** What is answered to the first request, the second and so on, the last for ever: a status, that it is away, or nothing at all. */
export type Answers = ReadonlyArray<number | "away" | "silent">

/** A client whose requests a list answers, and what it has asked and told. */
export const stubbed = (answers: Answers, options: object = {}) => {
  const asked: Array<Request> = []
  const sent: Array<string> = []
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, { ...init, signal: null })
    const said = answers[Math.min(asked.length, answers.length - 1)] ?? 200
    asked.push(request)
    if (said === "silent") return new Promise(() => undefined)
    if (said === "away") throw new Error("nobody is there")
    if (said === 200 && request.method === "POST") {
      const { markers } = JSON.parse(String(init?.body))
      for (const { eventName } of markers) sent.push(eventName)
    }
    return Response.json({ message: `answered ${said}`, ingestedMarkersCount: sent.length }, { status: said })
  }
  const { client, problems } = testClient(answer, options)
  const kinds = () => problems.map(({ kind }) => kind)
  return { client, asked, sent, problems, kinds }
}
