import type { QueryClient } from "@tanstack/react-query"
import { factorDemand, sessionEnd } from "./Refusal.ts"

/**
 * What tabs of one browser tell each other: somebody signed in, or the account of this browser is another one now, or none. Nothing about
 * who it is: each tab asks the server.
 */
type News = "signed in" | "left"

const channel = new BroadcastChannel("gamekeeper-session")

const settle = (): void => {
  sessionEnd.settle()
  factorDemand.settle()
}

/** Tells this tab and the others. */
export const tell = (news: News): void => {
  settle()
  channel.postMessage(news)
}

/** Hears what other tabs tell; the answer ends it. */
export const hear = (onNews: (news: News) => void): (() => void) => {
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    if (data !== "signed in" && data !== "left") return
    settle()
    onNews(data)
  }
  channel.addEventListener("message", onMessage)
  return () => channel.removeEventListener("message", onMessage)
}

/**
 * Asks again what the pages show, for somebody who is let in now. What was on its way before is left: a question that was never answered
 * would wait for its refusal.
 */
export const askAnew = async (client: QueryClient): Promise<void> => {
  await client.cancelQueries()
  await client.invalidateQueries()
}
