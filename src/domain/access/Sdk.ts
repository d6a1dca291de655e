/** Kits a game can be built with, by the number a project names its own with. */
export const sdks = [
  { id: 1, name: "Custom" },
  { id: 2, name: "Roblox" },
  { id: 3, name: "Unity" },
  { id: 4, name: "Unreal" },
  { id: 5, name: "Godot" },
  { id: 6, name: "Web" }
] as const

export type Sdk = (typeof sdks)[number]

/** The kit of that number, or the custom one. */
export const sdkOf = (id: number): Sdk => sdks.find((sdk) => sdk.id === id) ?? sdks[0]
