-- The humanoid as data: states, transitions and animations in tables, and a small machine that runs whatever they say,
-- as libraries for animation behavior in Lua do.

local definition = {
	layers = { Base = { baseWeight = 1.0, lerpRate = 8.0 } },
	animations = {
		Idle = { layer = "Base", looped = true, priority = 0, fadeIn = 0.2, fadeOut = 0.2, duration = 2.0 },
		Walk = { layer = "Base", looped = true, priority = 1, fadeIn = 0.15, fadeOut = 0.15, duration = 1.0 },
		Run = { layer = "Base", looped = true, priority = 2, fadeIn = 0.1, fadeOut = 0.1, duration = 0.7 },
		Jump = { layer = "Base", looped = false, priority = 5, fadeIn = 0.05, fadeOut = 0.1, duration = 0.6 },
	},
	predicates = {
		IsIdle = function(params)
			return params.moveMagnitude <= 0.1
		end,
		IsWalking = function(params)
			return params.moveMagnitude > 0.1 and params.walkSpeed < 18
		end,
		IsRunning = function(params)
			return params.moveMagnitude > 0.1 and params.walkSpeed >= 18
		end,
	},
	initialState = "Idle",
	states = {
		Idle = {
			onEntry = { { "Play", "Idle" } },
			onExit = { { "Stop", "Idle" } },
			activeLayers = { "Base" },
			transitions = { { "Walk", "IsWalking", 10 }, { "Run", "IsRunning", 11 } },
		},
		Walk = {
			onEntry = { { "Play", "Walk" } },
			onExit = { { "Stop", "Walk" } },
			activeLayers = { "Base" },
			transitions = { { "Idle", "IsIdle", 10 }, { "Run", "IsRunning", 11 } },
		},
		Run = {
			onEntry = { { "Play", "Run" } },
			onExit = { { "Stop", "Run" } },
			activeLayers = { "Base" },
			transitions = { { "Idle", "IsIdle", 10 }, { "Walk", "IsWalking", 9 } },
		},
		Jump = {
			onEntry = { { "Play", "Jump" } },
			onExit = { { "Stop", "Jump" } },
			activeLayers = { "Base" },
			transitions = { { "Idle", "IsIdle", 10 } },
		},
	},
}

local NAMES = { "Idle", "Walk", "Run", "Jump" }
local POSITIONS = { Idle = 1, Walk = 2, Run = 3, Jump = 4 }
local NEAR = 1e-4
local all, commands, count = {}, {}, 0

-- What a library does once: sort by priority, look the predicates up.
for _, state in pairs(definition.states) do
	table.sort(state.transitions, function(a, b)
		return a[3] > b[3]
	end)
	for _, transition in ipairs(state.transitions) do
		transition.target = transition[1]
		transition.holds = definition.predicates[transition[2]]
	end
end

local function command(kind, name)
	count = count + 1
	commands[count] = kind
	count = count + 1
	commands[count] = name
end

local actions = {
	Play = function(self, name)
		local track, settings = self.tracks[name], definition.animations[name]
		if track.playing then
			return
		end
		if track.weight == 0 or not settings.looped then
			track.time = 0
		end
		track.playing = true
		track.slope = (1 - track.weight) / settings.fadeIn
		command("Play", name)
	end,
	Stop = function(self, name)
		local track, settings = self.tracks[name], definition.animations[name]
		if not track.playing then
			return
		end
		track.playing = false
		track.slope = -track.weight / settings.fadeOut
		command("Stop", name)
	end,
}

local function run(self, list)
	for _, action in ipairs(list) do
		actions[action[1]](self, action[2])
	end
end

local function new()
	local self = {
		params = { moveMagnitude = 0, walkSpeed = 16 },
		state = definition.initialState,
		layers = {},
		tracks = {},
	}
	for name, layer in pairs(definition.layers) do
		self.layers[name] = { weight = layer.baseWeight, target = layer.baseWeight, rate = layer.lerpRate }
	end
	for name, animation in pairs(definition.animations) do
		self.tracks[name] = { weight = 0, time = 0, slope = 0, playing = false, settings = animation }
	end
	return self
end

local function tick(self, dt)
	for _, transition in ipairs(definition.states[self.state].transitions) do
		if transition.holds(self.params) then
			command("Exit", self.state)
			run(self, definition.states[self.state].onExit)
			self.state = transition.target
			local state = definition.states[self.state]
			for _, layer in ipairs(state.activeLayers) do
				self.layers[layer].target = definition.layers[layer].baseWeight
			end
			command("Enter", self.state)
			run(self, state.onEntry)
			break
		end
	end
	for _, layer in pairs(self.layers) do
		if layer.weight < layer.target then
			layer.weight = math.min(layer.weight + layer.rate * dt, layer.target)
		elseif layer.weight > layer.target then
			layer.weight = math.max(layer.weight - layer.rate * dt, layer.target)
		end
	end
	for _, track in pairs(self.tracks) do
		if track.slope ~= 0 then
			track.weight = track.weight + track.slope * dt
			if track.weight < NEAR then
				track.weight, track.slope = 0, 0
			elseif track.weight > 1 - NEAR then
				track.weight, track.slope = 1, 0
			end
		end
		if track.playing or track.weight ~= 0 then
			track.time = track.time + dt
			local settings = track.settings
			if track.time >= settings.duration then
				if settings.looped then
					track.time = track.time - settings.duration
				else
					track.time = settings.duration
					if track.playing then
						track.playing = false
						track.slope = -track.weight / settings.fadeOut
					end
				end
			end
		end
	end
end

return {
	create = function(instances)
		for index = 1, instances do
			all[index] = new()
		end
	end,
	set = function(index, magnitude, speed)
		local params = all[index].params
		params.moveMagnitude, params.walkSpeed = magnitude, speed
	end,
	tick = function(dt)
		for index = 1, #all do
			count = 0
			tick(all[index], dt)
		end
	end,
	state = function(index)
		return POSITIONS[all[index].state]
	end,
	weight = function(index, clip)
		return all[index].tracks[NAMES[clip]].weight
	end,
}
