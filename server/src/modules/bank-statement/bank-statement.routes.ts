import * as api from '@waybill/contract/bank-statement/bank-statement'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { listStatements } from './bank-statement.query.ts'
import { bookEntries } from './book-entries.ts'
import { reopenEntry, setEntryAside } from './settle-entry.ts'
import { statementView } from './statement-view.ts'
import { uploadStatement } from './store-statements.ts'

export function bindBankStatementRoutes(host: Host): void {
  bindEndpoint(host, api.readBankStatement, (ctx, { request }) => uploadStatement(ctx, request))
  bindEndpoint(host, api.listBankStatements, (ctx, { query }) => listStatements(ctx, query))
  bindEndpoint(host, api.getBankStatement, (ctx, { params }) => statementView(ctx, params.id))
  bindEndpoint(host, api.bookBankEntries, (ctx, { params, body }) => bookEntries(ctx, params.id, body.entries))
  bindEndpoint(host, api.setBankEntryAside, (ctx, { params, version, body }) =>
    setEntryAside(ctx, params.id, version!, body.reason),
  )
  bindEndpoint(host, api.reopenBankEntry, (ctx, { params, version, body }) =>
    reopenEntry(ctx, params.id, version!, body.reason),
  )
}
