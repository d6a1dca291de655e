/** With `npm run test:cluster`, which sets this, the same tests run over the stores that several processes share, and over those alone. */
export const isCluster = process.env["GAMEKEEPER_TEST_STORES"] === "cluster"
