// Files are imported by the names that they have when they are built, as Node wants it: database.js is database.ts here.
module.exports = (options) => ({
  ...options,
  resolve: { ...options.resolve, extensionAlias: { '.js': ['.ts', '.js'] } },
})
