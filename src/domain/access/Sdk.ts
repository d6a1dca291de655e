/** The kinds of SDK that a project can name, by number. */
export const sdks = [
  { id: 1, name: "Custom" },
  { id: 2, name: "Roblox" },
  { id: 3, name: "Unity" },
  { id: 4, name: "Unreal" },
  { id: 5, name: "Godot" },
  { id: 6, name: "Web" }
] as const

export type Sdk = (typeof sdks)[number]

/** The SDK of that number; the custom one if the number is unknown. */
export const sdkOf = (id: number): Sdk => sdks.find((sdk) => sdk.id === id) ?? sdks[0]
