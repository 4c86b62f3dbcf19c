import type { Verdict } from '@waybill/contract/bank-statement/bank-statement'
import type { LightLevel } from '../../ui/marks/light.tsx'

/** How a verdict looks: it fits, it wants a look, it is open. */
export const LIGHTS: Readonly<Record<Verdict, LightLevel>> = { certain: 'ok', likely: 'look', open: 'open' }
