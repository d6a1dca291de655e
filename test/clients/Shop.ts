/** An experiment on a shop: players above level 5 pay 15. */
export const dearShop = (baseConfigurationId: number) => ({
  name: "prices",
  unitType: "user",
  assignmentMode: "weightedHash",
  baseConfigurationId,
  targeting: { conditions: [{ property: "properties.level", operator: "greaterThan", value: 5 }] },
  groups: [
    { name: "control", weight: 0, isControl: true },
    { name: "dear", weight: 10_000, changeset: { operations: [{ op: "set", path: ["price"], value: 15 }] } }
  ]
})
