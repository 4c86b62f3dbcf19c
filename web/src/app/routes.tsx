import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { Country } from '@waybill/contract/country'
import { can, ORDER_ACCESS, RATE_CARD_ACCESS, VEHICLES_READ } from '@waybill/contract/permissions'
import type { Salutation } from '@waybill/contract/salutation'
import type { Vehicle } from '@waybill/contract/vehicle/vehicle'
import { loadTexts } from '../kit/i18n/i18n.ts'
import { AuthLayout } from './auth/auth-layout.tsx'
import { ErrorPage } from './error-page.tsx'
import { assertOwnProfile, assertStep, guard, ownProfile, type Navigation } from './guards.ts'
import { recordScreens, simpleRecordScreens } from './record-screens.ts'
import { Root } from './root.tsx'
import './screen.ts'

/*
 * The one table of screens. A screen is one entry: its path, `staticData` (its name of spec §2, title, access, place
 * in the navigation), a `loader` that fetches its texts before it shows, and its page, loaded when it is first opened.
 * The list of a record and its two forms are one entry.
 */

const root = createRootRoute({
  component: Root,
  errorComponent: ErrorPage,
  // Typed loosely: the matches' own type is made from this very table.
  beforeLoad: (step): Promise<void> => guard(step as unknown as Navigation),
})

const auth = createRoute({
  getParentRoute: () => root,
  id: 'auth',
  component: AuthLayout,
  loader: () => loadTexts('auth'),
})

const main = createRoute({
  getParentRoute: () => root,
  id: 'main',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  loader: () => loadTexts('shell', 'field-errors'),
})

const authPages = [
  createRoute({
    getParentRoute: () => auth,
    path: '/auth/login',
    staticData: { name: 'loginPage', titleKey: 'auth:title', access: 'public' },
    loader: async () => (await import('../kit/session/sign-in.ts')).readSignInWays(),
    component: lazyRouteComponent(() => import('./auth/login-page.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/auth/provider',
    staticData: { titleKey: 'auth:title', access: 'public' },
    component: lazyRouteComponent(() => import('./auth/provider-page.tsx'), 'ProviderPage'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/auth/restore',
    staticData: { name: 'restorePage', titleKey: 'auth:restore.title', access: 'public' },
    loader: () => loadTexts('field-errors'),
    component: lazyRouteComponent(() => import('./auth/restore-page.tsx'), 'RestorePage'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/auth/recovery-password/$token',
    staticData: { name: 'recoveryPassword', titleKey: 'auth:recovery.title', access: 'public' },
    loader: () => loadTexts('field-errors'),
    component: lazyRouteComponent(() => import('./auth/password-link-pages.tsx'), 'RecoveryPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/auth/reset-password/$token',
    staticData: { name: 'resetPassword', titleKey: 'auth:reset.title', access: 'public' },
    loader: () => loadTexts('field-errors'),
    component: lazyRouteComponent(() => import('./auth/password-link-pages.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/auth/qr-code',
    staticData: { name: 'qrCodePage', titleKey: 'auth:setUp.title', access: 'public' },
    beforeLoad: assertStep('setUp'),
    component: lazyRouteComponent(() => import('./auth/set-up-page.tsx'), 'SetUpPage'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/auth/qr',
    staticData: { name: 'qrPage', titleKey: 'auth:code.title', access: 'public' },
    beforeLoad: assertStep('code'),
    component: lazyRouteComponent(() => import('./auth/code-page.tsx'), 'CodePage'),
  }),
]

const screens = [
  createRoute({
    getParentRoute: () => main,
    path: '/dashboard',
    staticData: {
      titleKey: 'dashboard:title',
      access: ORDER_ACCESS,
      menu: [{ labelKey: 'screen.dashboard', icon: 'dashboard', group: 'work', order: 10, isTab: true }],
    },
    loader: () => loadTexts('order-list', 'dashboard', 'email'),
    component: lazyRouteComponent(() => import('../modules/order/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/intake',
    staticData: {
      titleKey: 'intake:title',
      access: ORDER_ACCESS,
      isWide: true,
      menu: [{ labelKey: 'screen.intake', icon: 'inbox', group: 'work', order: 15 }],
    },
    loader: () => loadTexts('list', 'intake'),
    component: lazyRouteComponent(() => import('../modules/order/intake/intake-page.tsx'), 'IntakePage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/intake/$id',
    staticData: { titleKey: 'intake:draft.title', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'form', 'order', 'order-list', 'cargo', 'intake', 'learned-rule'),
    component: lazyRouteComponent(() => import('../modules/order/intake/draft-page.tsx'), 'IntakeDraftPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/orders',
    staticData: {
      titleKey: 'order-list:title',
      access: ORDER_ACCESS,
      isWideList: true,
      // The same screen twice: all orders, and my orders (spec §2).
      menu: [
        { labelKey: 'screen.myOrders', icon: 'user', group: 'work', order: 20, search: { mine: '1' } },
        { labelKey: 'screen.orders', icon: 'list', group: 'work', order: 30, isTab: true },
      ],
    },
    loader: () => loadTexts('list', 'list-page', 'order-list', 'order-columns'),
    component: lazyRouteComponent(() => import('../modules/order/list/list-page.tsx'), 'OrderListPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/orders/create',
    staticData: { titleKey: 'order:newOrder', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'form', 'order', 'order-list', 'cargo'),
    component: lazyRouteComponent(() => import('../modules/order/new/new-page.tsx'), 'OrderNewPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/orders/$id/edit',
    staticData: { titleKey: 'order:title', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'form', 'order', 'order-list', 'order-rail', 'cargo'),
    component: lazyRouteComponent(() => import('../modules/order/form/form-page.tsx'), 'OrderFormPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/orders/$id/edit/$type',
    staticData: { titleKey: 'email-write:title', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('form', 'mail-template', 'email-write'),
    component: lazyRouteComponent(() => import('../modules/mail-template/write/write-page.tsx'), 'MailWritePage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/planning',
    staticData: {
      titleKey: 'planning:title',
      access: ORDER_ACCESS,
      isWide: true,
      menu: [{ labelKey: 'screen.planning', icon: 'board', group: 'work', order: 35 }],
    },
    loader: () => loadTexts('list', 'planning', 'order-list', 'merge', 'place', 'clearance'),
    component: lazyRouteComponent(() => import('../modules/order/planning/planning-page.tsx'), 'PlanningPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/quotes',
    staticData: {
      titleKey: 'quote:title',
      access: ORDER_ACCESS,
      isWide: true,
      menu: [{ labelKey: 'screen.quotes', icon: 'tag', group: 'work', order: 37 }],
    },
    loader: () => loadTexts('list', 'list-page', 'quote'),
    component: lazyRouteComponent(() => import('../modules/quote/quote-list-page.tsx'), 'QuoteListPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/quotes/create',
    staticData: { titleKey: 'quote:new', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'quote', 'history'),
    component: lazyRouteComponent(() => import('../modules/quote/quote-form-page.tsx'), 'QuoteCreatePage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/quotes/edit/$id',
    staticData: { titleKey: 'quote:one', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'quote', 'history'),
    component: lazyRouteComponent(() => import('../modules/quote/quote-form-page.tsx'), 'QuoteEditPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/recurring-orders',
    staticData: {
      titleKey: 'recurring-order:title',
      access: ORDER_ACCESS,
      isWide: true,
      menu: [{ labelKey: 'screen.recurringOrders', icon: 'refresh', group: 'work', order: 31, within: '/orders' }],
    },
    loader: () => loadTexts('list', 'list-page', 'recurring-order'),
    component: lazyRouteComponent(
      () => import('../modules/recurring-order/recurring-list-page.tsx'),
      'RecurringListPage',
    ),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/recurring-orders/create',
    staticData: { titleKey: 'recurring-order:new', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'recurring-order', 'history'),
    component: lazyRouteComponent(
      () => import('../modules/recurring-order/recurring-form-page.tsx'),
      'RecurringCreatePage',
    ),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/recurring-orders/edit/$id',
    staticData: { titleKey: 'recurring-order:one', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'recurring-order', 'history'),
    component: lazyRouteComponent(
      () => import('../modules/recurring-order/recurring-form-page.tsx'),
      'RecurringEditPage',
    ),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/rate-cards',
    staticData: {
      titleKey: 'rate-card:title',
      access: RATE_CARD_ACCESS,
      isWide: true,
      menu: [{ labelKey: 'screen.rateCards', icon: 'tag', group: 'work', order: 38, within: '/quotes' }],
    },
    loader: () => loadTexts('list', 'list-page', 'quote', 'rate-card'),
    component: lazyRouteComponent(() => import('../modules/quote/rate-cards-page.tsx'), 'RateCardsPage'),
  }),
  // The same forms, leading back to the dashboard (spec §2).
  createRoute({
    getParentRoute: () => main,
    path: '/dashboard/create',
    staticData: { titleKey: 'order:newOrder', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'form', 'order', 'order-list', 'cargo'),
    component: lazyRouteComponent(() => import('../modules/order/new/new-page.tsx'), 'OrderNewPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/dashboard/$id/edit',
    staticData: { titleKey: 'order:title', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('list', 'form', 'order', 'order-list', 'order-rail', 'cargo'),
    component: lazyRouteComponent(() => import('../modules/order/form/form-page.tsx'), 'OrderFormPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices',
    staticData: {
      titleKey: 'invoice-list:title',
      access: can('INVOICES_PROCESSING'),
      isWideList: true,
      menu: [{ labelKey: 'screen.invoices', icon: 'euro', group: 'work', order: 40, isTab: true }],
    },
    loader: () => loadTexts('list', 'list-page', 'invoice-list', 'ksef'),
    component: lazyRouteComponent(() => import('../modules/invoice/invoice-list-page.tsx'), 'InvoiceListPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/create',
    staticData: { titleKey: 'invoice:newInvoice', access: can('INVOICES_PROCESSING') },
    loader: () => loadTexts('form', 'list', 'invoice', 'invoice-list', 'invoice-check'),
    component: lazyRouteComponent(() => import('../modules/invoice/invoice-new-page.tsx'), 'InvoiceNewPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/check',
    staticData: {
      titleKey: 'invoice-check:title',
      access: can('INVOICES_PROCESSING'),
      isWide: true,
      menu: [{ labelKey: 'screen.invoiceCheck', icon: 'check', group: 'work', order: 41, within: '/invoices' }],
    },
    loader: () =>
      loadTexts(
        'form',
        'list',
        'list-page',
        'invoice-check',
        'invoice-extras',
        'order-extras',
        'history',
        'invoice-list',
        'document',
        'e-invoice',
      ),
    component: lazyRouteComponent(() => import('../modules/invoice/check/check-page.tsx'), 'CheckPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/payment-runs',
    staticData: {
      titleKey: 'payment-file:title',
      access: can('INVOICES_PROCESSING'),
      isWide: true,
      menu: [{ labelKey: 'screen.paymentRuns', icon: 'send', group: 'work', order: 42, within: '/invoices' }],
    },
    loader: () => loadTexts('list', 'list-page', 'invoice-list', 'payment-file'),
    component: lazyRouteComponent(() => import('../modules/payment-file/payment-runs-page.tsx'), 'PaymentRunsPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/month-end',
    staticData: {
      titleKey: 'month-end:title',
      access: can('INVOICES_PROCESSING'),
      isWide: true,
      menu: [{ labelKey: 'screen.monthEnd', icon: 'euro', group: 'work', order: 43, within: '/invoices' }],
    },
    loader: () => loadTexts('list', 'list-page', 'invoice-list', 'month-end', 'ksef'),
    component: lazyRouteComponent(() => import('../modules/invoice/month-end/month-end-page.tsx'), 'MonthEndPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/bookkeeping',
    staticData: {
      titleKey: 'bookkeeping:title',
      access: can('INVOICES_PROCESSING'),
      isWide: true,
      menu: [{ labelKey: 'screen.bookkeeping', icon: 'rows', group: 'work', order: 43, within: '/invoices' }],
    },
    loader: () => loadTexts('list', 'list-page', 'invoice-list', 'payment-file', 'bookkeeping'),
    component: lazyRouteComponent(() => import('../modules/bookkeeping/bookkeeping-page.tsx'), 'BookkeepingPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/open-items',
    staticData: {
      titleKey: 'open-items:title',
      access: can('INVOICES_PROCESSING'),
      isWide: true,
      menu: [{ labelKey: 'screen.openItems', icon: 'clock', group: 'work', order: 44, within: '/invoices' }],
    },
    loader: () => loadTexts('list', 'list-page', 'invoice-list', 'open-items', 'reminder', 'credit'),
    component: lazyRouteComponent(() => import('../modules/payment/open-items-page.tsx'), 'OpenItemsPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/ksef',
    staticData: {
      titleKey: 'ksef:page.title',
      access: can('INVOICES_PROCESSING'),
      isWide: true,
      menu: [{ labelKey: 'screen.ksef', icon: 'file', group: 'work', order: 45, within: '/invoices' }],
    },
    loader: () => loadTexts('list', 'list-page', 'invoice-list', 'ksef'),
    component: lazyRouteComponent(() => import('../modules/invoice/ksef/ksef-page.tsx'), 'KsefPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/bank-statements',
    staticData: {
      titleKey: 'bank-statement:title',
      access: can('INVOICES_PROCESSING'),
      isWide: true,
      menu: [{ labelKey: 'screen.bankStatements', icon: 'rows', group: 'work', order: 44, within: '/invoices' }],
    },
    loader: () => loadTexts('list', 'list-page', 'invoice-list', 'payment', 'payment-file', 'bank-statement'),
    component: lazyRouteComponent(
      () => import('../modules/bank-statement/bank-statements-page.tsx'),
      'BankStatementsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/$id/edit',
    staticData: { titleKey: 'invoice:title', access: can('INVOICES_PROCESSING'), isWide: true },
    loader: () =>
      loadTexts(
        'form',
        'list',
        'auth',
        'invoice',
        'invoice-extras',
        'order-extras',
        'invoice-correction',
        'invoice-list',
        'invoice-check',
        'email',
        'history',
        'document',
        'e-invoice-out',
        'ksef',
        'account-number',
        'payment',
        'reminder',
        'payment-file',
      ),
    component: lazyRouteComponent(() => import('../modules/invoice/invoice-form-page.tsx'), 'InvoiceFormPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/invoices/$id/edit/$type',
    staticData: { titleKey: 'invoice:mail.title', access: ORDER_ACCESS, isWide: true },
    loader: () => loadTexts('form', 'invoice', 'invoice-list', 'mail-template', 'email-write', 'e-invoice-out', 'ksef'),
    component: lazyRouteComponent(() => import('../modules/invoice/invoice-email-page.tsx'), 'InvoiceEmailPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/mails',
    staticData: {
      titleKey: 'email:allMails',
      access: 'signedIn',
      isWideList: true,
      menu: [{ labelKey: 'screen.mails', icon: 'mail', group: 'work', order: 45 }],
    },
    loader: () => loadTexts('list', 'list-page', 'email'),
    component: lazyRouteComponent(() => import('../modules/email/email-list-page.tsx'), 'EmailListPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/preview/$id',
    staticData: { name: 'pageEmailPreview', titleKey: 'email:previewTitle', access: ORDER_ACCESS },
    loader: () => loadTexts('email'),
    component: lazyRouteComponent(() => import('../modules/email/email-page.tsx'), 'EmailPage'),
  }),
  ...recordScreens(main, {
    path: '/customer',
    words: 'customer',
    isWideList: true,
    access: can('CUSTOMER_MANAGEMENT'),
    menu: { labelKey: 'screen.customers', icon: 'building', group: 'work', order: 50 },
    formTexts: ['document', 'place', 'e-invoice-out', 'credit', 'account-number', 'learned-rule'],
    list: lazyRouteComponent(() => import('../modules/customer/customer-list-page.tsx'), 'CustomerListPage'),
    create: lazyRouteComponent(() => import('../modules/customer/customer-form-page.tsx'), 'CustomerNewPage'),
    edit: lazyRouteComponent(() => import('../modules/customer/customer-form-page.tsx'), 'CustomerFormPage'),
  }),
  ...recordScreens(main, {
    path: '/carrier-companies',
    words: 'carrier-company',
    isWideList: true,
    access: can('CARRIER_MANAGEMENT'),
    menu: { labelKey: 'screen.carrierCompanies', icon: 'truck', group: 'work', order: 60 },
    found: { note: (row: { city: string | null; vatNumber: string | null }) => [row.city, row.vatNumber] },
    formTexts: ['document', 'account-number'],
    list: lazyRouteComponent(
      () => import('../modules/carrier-company/carrier-company-list-page.tsx'),
      'CarrierCompanyListPage',
    ),
    create: lazyRouteComponent(
      () => import('../modules/carrier-company/carrier-company-form-page.tsx'),
      'CarrierCompanyNewPage',
    ),
    edit: lazyRouteComponent(
      () => import('../modules/carrier-company/carrier-company-form-page.tsx'),
      'CarrierCompanyFormPage',
    ),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/reports',
    staticData: {
      titleKey: 'report:title',
      access: can('ORDERS_MANAGEMENT'),
      menu: [{ labelKey: 'screen.reports', icon: 'chart', group: 'work', order: 70 }],
    },
    loader: () => loadTexts('list', 'list-page', 'report'),
    component: lazyRouteComponent(() => import('../modules/report/report-page.tsx'), 'ReportPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/reports/punctuality',
    staticData: { titleKey: 'report-times:punctuality.title', access: can('ORDERS_MANAGEMENT') },
    loader: () => loadTexts('list', 'list-page', 'report', 'report-times'),
    component: lazyRouteComponent(() => import('../modules/report/punctuality-page.tsx'), 'PunctualityPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/reports/losses',
    staticData: { titleKey: 'report-times:losses.title', access: can('ORDERS_MANAGEMENT') },
    loader: () => loadTexts('list', 'list-page', 'report', 'report-times', 'history'),
    component: lazyRouteComponent(() => import('../modules/report/losses-page.tsx'), 'LossesPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/reports/open-pods',
    staticData: { titleKey: 'report-times:pods.title', access: can('ORDERS_MANAGEMENT') },
    loader: () => loadTexts('list', 'list-page', 'report', 'report-times'),
    component: lazyRouteComponent(() => import('../modules/report/open-pods-page.tsx'), 'OpenPodsPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/reports/times',
    staticData: { titleKey: 'report-times:times.title', access: can('ORDERS_MANAGEMENT') },
    loader: () => loadTexts('list', 'list-page', 'report', 'report-times'),
    component: lazyRouteComponent(() => import('../modules/report/times-page.tsx'), 'TimesPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/reports/emission',
    staticData: { titleKey: 'emission:title', access: can('ORDERS_MANAGEMENT') },
    loader: () => loadTexts('list', 'list-page', 'report', 'emission'),
    component: lazyRouteComponent(() => import('../modules/report/emission-page.tsx'), 'EmissionPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/profile/$id/edit',
    staticData: { name: 'pageProfileEdit', titleKey: 'profile:title', access: 'signedIn' },
    beforeLoad: assertOwnProfile,
    loader: () => loadTexts('form', 'auth', 'profile'),
    component: lazyRouteComponent(() => import('../modules/profile/profile-page.tsx'), 'ProfilePage'),
  }),
  ...recordScreens(main, {
    path: '/users',
    words: 'user',
    access: can('USERS_MANAGEMENT'),
    menu: { labelKey: 'screen.users', icon: 'users', group: 'people', order: 10 },
    formTexts: ['user-role'],
    list: lazyRouteComponent(() => import('../modules/user/user-list-page.tsx'), 'UserListPage'),
    create: lazyRouteComponent(() => import('../modules/user/user-form-page.tsx'), 'UserNewPage'),
    edit: lazyRouteComponent(() => import('../modules/user/user-form-page.tsx'), 'UserFormPage'),
  }),
  ...recordScreens(main, {
    path: '/user-roles',
    words: 'user-role',
    access: can('USERS_MANAGEMENT'),
    menu: { labelKey: 'screen.userRoles', icon: 'lock', group: 'people', order: 20 },
    list: lazyRouteComponent(() => import('../modules/user-role/user-role-list-page.tsx'), 'UserRoleListPage'),
    create: lazyRouteComponent(() => import('../modules/user-role/user-role-form-page.tsx'), 'UserRoleNewPage'),
    edit: lazyRouteComponent(() => import('../modules/user-role/user-role-form-page.tsx'), 'UserRoleFormPage'),
  }),
  ...recordScreens(main, {
    path: '/departments',
    words: 'department',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.departments', icon: 'users', group: 'settings', order: 10 },
    formTexts: ['mail-template', 'paper-template'],
    list: lazyRouteComponent(() => import('../modules/department/department-list-page.tsx'), 'DepartmentListPage'),
    create: lazyRouteComponent(() => import('../modules/department/department-form-page.tsx'), 'DepartmentNewPage'),
    edit: lazyRouteComponent(() => import('../modules/department/department-form-page.tsx'), 'DepartmentFormPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/departments/$id/edit/$emailId',
    staticData: { titleKey: 'mail-template:title', access: can('SETTINGS_ACCESS'), isWide: true },
    loader: () => loadTexts('form', 'list', 'mail-template'),
    component: lazyRouteComponent(() => import('../modules/mail-template/template-page.tsx'), 'TemplatePage'),
  }),
  ...recordScreens(main, {
    path: '/companies',
    words: 'company',
    formTexts: ['e-invoice-out', 'company-bookkeeping'],
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.companies', icon: 'building', group: 'settings', order: 20 },
    found: { note: (row: { city: string | null }) => [row.city] },
    list: lazyRouteComponent(() => import('../modules/company/company-list-page.tsx'), 'CompanyListPage'),
    create: lazyRouteComponent(() => import('../modules/company/company-form-page.tsx'), 'CompanyNewPage'),
    edit: lazyRouteComponent(() => import('../modules/company/company-form-page.tsx'), 'CompanyFormPage'),
  }),
  ...simpleRecordScreens(main, {
    path: '/countries',
    words: 'country',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.countries', icon: 'globe', group: 'settings', order: 30 },
    found: { note: (row: Country) => [row.code] },
    record: () => import('../modules/country/country-record.ts').then(({ countryRecord }) => countryRecord),
    widgets: () => import('../modules/country/country-widgets.ts').then(({ countryWidgets }) => countryWidgets),
  }),
  ...simpleRecordScreens(main, {
    path: '/salutations',
    words: 'salutation',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.salutations', icon: 'chat', group: 'settings', order: 40 },
    found: { note: (row: Salutation) => [row.country.title] },
    record: () => import('../modules/salutation/salutation-record.ts').then(({ salutationRecord }) => salutationRecord),
    widgets: () =>
      import('../modules/salutation/salutation-widgets.ts').then(({ salutationWidgets }) => salutationWidgets),
  }),
  ...simpleRecordScreens(main, {
    path: '/unit-types',
    words: 'type-list:unit',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.unitTypes', icon: 'box', group: 'settings', order: 50 },
    found: {},
    record: () => import('../modules/type-list/type-records.ts').then(({ unitType }) => unitType),
  }),
  ...simpleRecordScreens(main, {
    path: '/vehicles',
    words: 'vehicle',
    access: VEHICLES_READ,
    writeAccess: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.vehicles', icon: 'truck', group: 'settings', order: 55 },
    found: { note: (row: Vehicle) => [row.carrierCompany?.title ?? row.driver?.title ?? ''] },
    record: () => import('../modules/vehicle/vehicle-record.ts').then(({ vehicleRecord }) => vehicleRecord),
    widgets: () => import('../modules/vehicle/vehicle-widgets.tsx').then(({ vehicleWidgets }) => vehicleWidgets),
  }),
  ...simpleRecordScreens(main, {
    path: '/emission-factors',
    words: 'emission-factor',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.emissionFactors', icon: 'chart', group: 'settings', order: 57 },
    record: () =>
      import('../modules/emission/emission-factor-record.ts').then(({ emissionFactorRecord }) => emissionFactorRecord),
    widgets: () =>
      import('../modules/emission/emission-factor-widgets.tsx').then(
        ({ emissionFactorWidgets }) => emissionFactorWidgets,
      ),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/load-carriers',
    staticData: {
      titleKey: 'load-carrier:title',
      access: can('CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'),
      isWide: true,
      menu: [{ labelKey: 'screen.loadCarriers', icon: 'box', group: 'work', order: 65 }],
    },
    loader: () => loadTexts('list', 'list-page', 'load-carrier'),
    component: lazyRouteComponent(() => import('../modules/load-carrier/load-carriers-page.tsx'), 'LoadCarriersPage'),
  }),
  ...simpleRecordScreens(main, {
    path: '/load-carrier-types',
    words: 'load-carrier-record:type',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.loadCarrierTypes', icon: 'box', group: 'settings', order: 52 },
    record: () =>
      import('../modules/load-carrier/load-carrier-records.ts').then(({ loadCarrierType }) => loadCarrierType),
  }),
  ...simpleRecordScreens(main, {
    path: '/load-carrier-places',
    words: 'load-carrier-record:place',
    access: can('CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'),
    menu: { labelKey: 'screen.loadCarrierPlaces', icon: 'pin', group: 'settings', order: 54 },
    record: () =>
      import('../modules/load-carrier/load-carrier-records.ts').then(({ loadCarrierPlace }) => loadCarrierPlace),
    // It picks a country, too.
    widgets: () =>
      import('../modules/salutation/salutation-widgets.ts').then(({ salutationWidgets }) => salutationWidgets),
  }),
  ...simpleRecordScreens(main, {
    path: '/vehicle-types',
    words: 'type-list:vehicle',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.vehicleTypes', icon: 'truck', group: 'settings', order: 60 },
    found: {},
    record: () => import('../modules/type-list/type-records.ts').then(({ vehicleType }) => vehicleType),
  }),
  ...simpleRecordScreens(main, {
    path: '/cargo-types',
    words: 'type-list:cargo',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.cargoTypes', icon: 'list', group: 'settings', order: 70 },
    found: {},
    record: () => import('../modules/type-list/type-records.ts').then(({ cargoType }) => cargoType),
  }),
  ...simpleRecordScreens(main, {
    path: '/special-handling-types',
    words: 'type-list:specialHandling',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: 'screen.specialHandlingTypes', icon: 'alert', group: 'settings', order: 80 },
    found: {},
    record: () => import('../modules/type-list/type-records.ts').then(({ specialHandlingType }) => specialHandlingType),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/api-keys',
    staticData: {
      titleKey: 'api-key:title',
      access: 'administrator',
      isWide: true,
      menu: [{ labelKey: 'screen.apiKeys', icon: 'key', group: 'settings', order: 90 }],
    },
    loader: () => loadTexts('list', 'auth', 'user-role', 'api-key'),
    component: lazyRouteComponent(() => import('../modules/api-key/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/webhooks',
    staticData: {
      titleKey: 'webhook:title',
      access: 'administrator',
      isWide: true,
      menu: [{ labelKey: 'screen.webhooks', icon: 'send', group: 'settings', order: 91 }],
    },
    loader: () => loadTexts('auth', 'webhook'),
    component: lazyRouteComponent(() => import('../modules/webhook/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/audit',
    staticData: {
      titleKey: 'audit:title',
      access: 'administrator',
      isWide: true,
      menu: [{ labelKey: 'screen.audit', icon: 'history', group: 'people', order: 30 }],
    },
    loader: () => loadTexts('list', 'history', 'audit'),
    component: lazyRouteComponent(() => import('../modules/audit-entry/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/operations',
    staticData: {
      titleKey: 'operations:title',
      access: 'administrator',
      isWide: true,
      menu: [{ labelKey: 'screen.operations', icon: 'gear', group: 'people', order: 40 }],
    },
    loader: () => loadTexts('operations'),
    component: lazyRouteComponent(() => import('../modules/operations/operations-page.tsx'), 'OperationsPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/customer/import',
    staticData: { titleKey: 'import:title.customers', access: can('CUSTOMER_MANAGEMENT') },
    loader: () => loadTexts('import'),
    component: lazyRouteComponent(() => import('../modules/customer/customer-import-page.tsx'), 'CustomerImportPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/orders/import',
    staticData: { titleKey: 'import:title.orders', access: ORDER_ACCESS },
    loader: () => loadTexts('import'),
    component: lazyRouteComponent(() => import('../modules/order/list/import-page.tsx'), 'OrderImportPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/carrier-companies/clearance',
    staticData: { titleKey: 'clearance:page', access: can('CARRIER_MANAGEMENT') },
    loader: () => loadTexts('clearance', 'document', 'form'),
    component: lazyRouteComponent(() => import('../modules/clearance/clearance-page.tsx'), 'ClearancePage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/carrier-companies/import',
    staticData: { titleKey: 'import:title.carrierCompanies', access: can('CARRIER_MANAGEMENT') },
    loader: () => loadTexts('import'),
    component: lazyRouteComponent(
      () => import('../modules/carrier-company/carrier-company-import-page.tsx'),
      'CarrierCompanyImportPage',
    ),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/403',
    staticData: { name: 'pageError403', titleKey: 'errors:forbidden.title', access: 'signedIn', isWithoutReturn: true },
    component: lazyRouteComponent(() => import('./error-page.tsx'), 'ForbiddenPage'),
  }),
  createRoute({
    getParentRoute: () => main,
    path: '/404',
    staticData: { name: 'pageError404', titleKey: 'errors:missing.title', access: 'signedIn', isWithoutReturn: true },
    component: lazyRouteComponent(() => import('./error-page.tsx'), 'MissingPage'),
  }),
]

const forwards = [
  // Both readings of the login's address work (spec §2, Other routes).
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    staticData: { access: 'public' },
    beforeLoad: ({ search }): void => {
      throw redirect({ to: '/auth/login', search, replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/',
    staticData: { name: 'pageMain', access: 'signedIn' },
    beforeLoad: (): void => {
      throw redirect({ to: ownProfile() as '/', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '$',
    staticData: { access: 'public' },
    beforeLoad: (): void => {
      throw redirect({ to: '/404', replace: true })
    },
  }),
]

export const routeTree = root.addChildren([auth.addChildren(authPages), main.addChildren(screens), ...forwards])
