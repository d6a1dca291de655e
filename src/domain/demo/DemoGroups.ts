/** Groups of the demo's experiments whose players behave differently; by name, since ids are given when the experiment is made. */
export const demoGroups = {
  cheaperPack: "Pack for 0.99",
  shortTutorial: "Three steps",
  newMenu: "New menu"
} as const
