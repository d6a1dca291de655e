/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

interface Asked {
  readonly method: string
  readonly address: string
  readonly environmentId: number
  readonly body: unknown
}

/** The line that asks the same question from a script; the key comes from the environment variable SECRET. */
export const curlText = ({ method, address, environmentId, body }: Asked): string =>
  [
    `curl -sS --fail-with-body -X ${method} ${shellWord(address)}`,
    `  -H "authorization: Bearer $SECRET"`,
    `  -H 'environment-id: ${environmentId}'`,
    `  -H 'content-type: application/json'`,
    `  -d ${shellWord(JSON.stringify(body, null, 2))}`
  ].join(" \\\n")
