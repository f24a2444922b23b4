/* What Redis does for a farm, each as one step. The keys of a job are raddle:JOB:meta (a hash), :log (a
 * stream), :kept (the last snapshot) and :alive:N; they expire together when nobody has been there for a
 * week. */
#ifndef FARM_SCRIPTS_H
#define FARM_SCRIPTS_H

#define SCRIPT_KEEP "604800"
#define SCRIPT_MARK "raddle-farm-1"

/* KEYS: meta. ARGV: identity, memory, token, whether memory is at least so much also if the job is there.
 * Gives participant, token, identity, memory. */
#define SCRIPT_JOIN                                                                                \
    "local t = redis.call('TYPE', KEYS[1]).ok\n"                                                   \
    "if t == 'none' then\n"                                                                        \
    "  redis.call('HSET', KEYS[1], 'mark', '" SCRIPT_MARK "', 'identity', ARGV[1], 'memory', ARGV[2],\n"  \
    "    'token', ARGV[3], 'made', redis.call('TIME')[1], 'n', 0, 'bytes', 0, 'participants', 0,\n"      \
    "    'kept', 0, 'kept_at', 0, 'kept_size', 0, 'cut_at', 0)\n"                                   \
    "  redis.call('EXPIRE', KEYS[1], " SCRIPT_KEEP ")\n"                                            \
    "elseif t ~= 'hash' or redis.call('HGET', KEYS[1], 'mark') ~= '" SCRIPT_MARK "' then\n"         \
    "  return redis.error_reply('FOREIGN')\n"                                                      \
    "elseif ARGV[4] == '1' and redis.call('HGET', KEYS[1], 'identity') == ARGV[1] and\n"           \
    "   tonumber(ARGV[2]) > tonumber(redis.call('HGET', KEYS[1], 'memory')) then\n"                \
    "  redis.call('HSET', KEYS[1], 'memory', ARGV[2])\n"                                           \
    "end\n"                                                                                        \
    "return {redis.call('HINCRBY', KEYS[1], 'participants', 1), redis.call('HGET', KEYS[1], 'token'),\n" \
    "  redis.call('HGET', KEYS[1], 'identity'), redis.call('HGET', KEYS[1], 'memory')}"

#define SCRIPT_CHECK                                                                               \
    "if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return redis.error_reply('REMOVED') end\n"
#define SCRIPT_ADD                                                                                 \
    "if redis.call('HINCRBY', KEYS[1], 'bytes', #ARGV[2] + 64) >\n"                                \
    "   tonumber(redis.call('HGET', KEYS[1], 'memory')) then\n"                                    \
    "  redis.call('HINCRBY', KEYS[1], 'bytes', -#ARGV[2] - 64)\n"                                  \
    "  return redis.error_reply('FULL')\n"                                                         \
    "end\n"                                                                                        \
    "local n = redis.call('HINCRBY', KEYS[1], 'n', 1)\n"                                           \
    "redis.call('XADD', KEYS[2], n .. '-1', 'm', ARGV[2])\n"                                       \
    "return n"

/* KEYS: meta, log. ARGV: token, message. Gives its number. */
#define SCRIPT_APPEND SCRIPT_CHECK SCRIPT_ADD

/* KEYS: meta, log, alive. ARGV: token, message. The message, if nobody keeps the key. */
#define SCRIPT_GONE                                                                                \
    SCRIPT_CHECK "if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end\n" SCRIPT_ADD

/* KEYS: meta, log, alive, kept. ARGV: token, what it says, lease in ms. Gives how many entries there are. */
#define SCRIPT_ALIVE                                                                               \
    SCRIPT_CHECK                                                                                   \
    "redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])\n"                                         \
    "redis.call('EXPIRE', KEYS[1], " SCRIPT_KEEP ")\n"                                              \
    "redis.call('EXPIRE', KEYS[2], " SCRIPT_KEEP ")\n"                                              \
    "redis.call('EXPIRE', KEYS[4], " SCRIPT_KEEP ")\n"                                              \
    "return tonumber(redis.call('HGET', KEYS[1], 'n'))"

/* KEYS: meta, log, alive, kept. ARGV: token, a snapshot, lease, its number (of the last entry in it), bytes
 * of the log up to there, a message about it. What was before the last snapshot goes: who is behind that
 * far begins anew. Gives 0 if there is a newer one, or no room. */
#define SCRIPT_SNAPSHOT                                                                            \
    SCRIPT_CHECK                                                                                   \
    "local m = {}\n"                                                                               \
    "for i, k in ipairs({'kept', 'kept_at', 'kept_size', 'cut_at', 'bytes', 'memory'}) do\n"       \
    "  m[k] = tonumber(redis.call('HGET', KEYS[1], k))\n"                                         \
    "end\n"                                                                                        \
    "local bytes = m.bytes - (m.kept_at - m.cut_at) - m.kept_size + #ARGV[2] + #ARGV[6] + 64\n"   \
    "if m.kept >= tonumber(ARGV[4]) or bytes > m.memory then return 0 end\n"                      \
    "redis.call('XTRIM', KEYS[2], 'MINID', (m.kept + 1) .. '-0')\n"                               \
    "redis.call('SET', KEYS[4], ARGV[2], 'EX', " SCRIPT_KEEP ")\n"                                 \
    "redis.call('HSET', KEYS[1], 'bytes', bytes, 'kept', ARGV[4], 'kept_at', ARGV[5],\n"          \
    "  'kept_size', #ARGV[2], 'cut_at', m.kept_at)\n"                                             \
    "local n = redis.call('HINCRBY', KEYS[1], 'n', 1)\n"                                          \
    "redis.call('XADD', KEYS[2], n .. '-1', 'm', ARGV[6])\n"                                      \
    "return n"

#endif
