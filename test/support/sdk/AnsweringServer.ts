import { testClient } from "./TestClient.ts"

type Answer = readonly [status: number, body: unknown]

/** A client to whose requests, counted from 0, a function answers once they may be; with the bodies that it sent and the problems it told. */
export const answering = (
  answer: (asked: number) => Answer,
  options: object = {},
  mayAnswer: (asked: number) => Promise<void> = () => Promise.resolve()
) => {
  const bodies: Array<any> = []
  const send: typeof fetch = async (_, init) => {
    const asked = bodies.length
    bodies.push(typeof init?.body === "string" ? JSON.parse(init.body) : null)
    await mayAnswer(asked)
    const [status, body] = answer(asked)
    return new Response(body === null ? null : typeof body === "string" ? body : JSON.stringify(body), { status })
  }
  return { ...testClient(send, options), bodies }
}
