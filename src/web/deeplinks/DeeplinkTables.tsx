import type { Conversions } from "../api/deeplinks.ts"
import { PlayerLink } from "../players/PlayerLink.tsx"
import { durationText, numberText, percentText } from "../text/Numbers.ts"
import { Moment } from "../ui/Moment.tsx"

/** Clicks and conversions by one trait of where the clicks came from; `none` names those of which it is not known. */
export const Origins = ({ sources, none }: { readonly sources: Conversions["sources"]; readonly none: string }) => (
  <div className="table-box" role="region" aria-label="Where clicks came from" tabIndex={0}>
    <table className="table">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col" className="number">
            Clicks
          </th>
          <th scope="col" className="number">
            People
          </th>
          <th scope="col" className="number">
            Conversions
          </th>
          <th scope="col" className="number">
            Rate
          </th>
        </tr>
      </thead>
      <tbody>
        {sources.map(({ value, clicks, uniqueClicks, conversions, conversionRate }) => (
          <tr key={value ?? ""}>
            <th scope="row">{value ?? <span className="faint">{none}</span>}</th>
            <td className="number">{numberText(clicks)}</td>
            <td className="number">{numberText(uniqueClicks)}</td>
            <td className="number">{numberText(conversions)}</td>
            <td className="number">{clicks === 0 ? "–" : percentText(conversionRate)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The players whom a link brought. */
export const Converted = ({ items }: Pick<Conversions, "items">) => (
  <div className="table-box table-tall" role="region" aria-label="List of conversions" tabIndex={0}>
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Player</th>
          <th scope="col">Clicked</th>
          <th scope="col">Converted</th>
          <th scope="col" className="number">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ unitId, clickedAt, convertedAt, secondsToConvert }) => (
          <tr key={`${unitId} ${clickedAt}`}>
            <th scope="row">
              <PlayerLink unitId={unitId} />
            </th>
            <td>
              <Moment at={clickedAt} />
            </td>
            <td>
              <Moment at={convertedAt} />
            </td>
            <td className="number">{durationText(secondsToConvert)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
