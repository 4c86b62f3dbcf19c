import type { ChangeValue } from '@waybill/contract/order/intake/mail-draft'
import { withMeasures } from '../../values/draft.ts'
import type { OrderForm } from '../../values/order-form.ts'

/** Puts one value into the order's form, as if it were typed. */
export function putValue(form: OrderForm, path: string, value: ChangeValue): void {
  const [list, place, field] = path.split('.')
  if (list === 'cargo') {
    const line = form.values().cargo[Number(place)]!
    form.set(`cargo.${place}`, withMeasures(line, { [field!]: value }))
    return
  }
  if (field === 'termin') form.set(`locations.${place}.terminText`, null)
  form.set(path, value)
}
