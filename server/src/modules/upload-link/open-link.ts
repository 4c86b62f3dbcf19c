import { inTransaction, type Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import { noteOpened, type UploadLink } from './upload-link.repository.ts'

/** Notes that a person has the page of a link open; the history tells the first time, the order how often. */
export const openLink = (ctx: Ctx, { id, orderId, carrierCompanyId }: UploadLink): Promise<void> =>
  inTransaction(ctx, async (inner) => {
    if (!(await noteOpened(inner, id))) return
    const carrier = await inner.db
      .selectFrom('carrier_company')
      .select('title')
      .where('id', '=', carrierCompanyId)
      .executeTakeFirstOrThrow()
    await audit(inner, {
      ownerKind: 'order',
      ownerId: orderId,
      action: 'uploadLinkOpened',
      after: { carrierCompany: carrier.title },
    })
  })
