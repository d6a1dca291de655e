import type { Ref } from "react"
import { useMemo } from "react"
import { qrOf, qrPath } from "./Qr.ts"

interface Props {
  readonly text: string
  /** What the code is, for those who do not see it. */
  readonly label: string
  readonly ref?: Ref<SVGSVGElement>
}

/** A text as a QR code: dark on white in every theme, as cameras expect it. */
export const QrDrawing = ({ text, label, ref }: Props) => {
  const matrix = useMemo(() => qrOf(text), [text])
  const size = matrix.length
  return (
    <svg ref={ref} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={qrPath(matrix)} fill="#000000" />
    </svg>
  )
}
