import type { Page } from "playwright-core"

/** The secret that a page shows this once. */
export const secretOf = async (page: Page): Promise<string> => (await page.locator("[data-secret]").textContent()) ?? ""

/** What games and scripts send with the keys that a page has shown; each answers the status. */
export const withoutBrowser = (server: () => string) => {
  const answered = async (path: string, headers: Record<string, string>, body?: unknown): Promise<number> =>
    (
      await fetch(server() + path, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    ).status

  const send = (key: string) =>
    answered(
      "/sdk/v1/markers",
      { authorization: key, environment: "production" },
      { markers: [{ timestamp: new Date().toISOString(), eventName: "Login", distinctId: "p-1" }] }
    )

  return { answered, send }
}
