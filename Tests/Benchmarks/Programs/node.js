// The Node.js reader. Usage: node node.js FILE
const start = process.hrtime.bigint();
const entries = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8")).log.entries.length;
console.log(JSON.stringify({ seconds: Number(process.hrtime.bigint() - start) / 1e9, entries }));
