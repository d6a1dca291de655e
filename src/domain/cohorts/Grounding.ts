import { quantityTest } from "./Quantity.ts"
import type { BehaviourCondition, CohortGroup, PlannedCondition } from "./CohortPlan.ts"

const behaviourRequiresMarkers = ({ did, measure, operator, value }: BehaviourCondition): boolean => {
  const ofNone = measure === "count" || measure === "sum" || measure === "distinctDays" ? 0 : null
  return quantityTest(operator, value)(ofNone) !== did
}

/**
 * Whether only units that have certain markers, or were exposed to an experiment, can satisfy the node. If so, scans
 * need not look for all units.
 */
export const requiresMarkers = (node: CohortGroup | PlannedCondition): boolean => {
  if ("op" in node) {
    if (node.negate) return false
    return node.op === "and" ? node.children.some(requiresMarkers) : node.children.every(requiresMarkers)
  }
  switch (node.type) {
    case "property":
      return false
    case "behaviour":
      return behaviourRequiresMarkers(node)
    case "reference":
      return node.reference.source === "experiment" && node.reference.isIn
    default:
      return true
  }
}
