// `gamekeeper/sdk` in Node: for servers of games, tools and tests.
export { type Client, type ClientOptions, createClient, type MarkerOptions } from "./Client.ts"
export { fileStorage } from "./FileStorage.ts"
export type { Marker, MarkerValue } from "./Marker.ts"
export type { OnProblem, Problem } from "./Problem.ts"
export type { Assignment, ConfigurationOptions, RemoteConfiguration, Unit } from "./RemoteConfiguration.ts"
export { memoryStorage, type Storage } from "./Storage.ts"
