-- The humanoid written by hand in Lua: the same machine as tests/benches/handwritten.rs, in either Lua.

local IDLE, WALK, RUN, JUMP = 1, 2, 3, 4
local DURATION = { 2.0, 1.0, 0.7, 0.6 }
local FADE_IN = { 0.2, 0.15, 0.1, 0.05 }
local FADE_OUT = { 0.2, 0.15, 0.1, 0.1 }
local LOOPED = { true, true, true, false }
local LERP_RATE, NEAR = 8.0, 1e-4
local EXIT, ENTER, PLAY, STOP = 0, 4, 8, 12

local all, commands, count = {}, {}, 0

local function clip()
	return { weight = 0.0, time = 0.0, slope = 0.0, playing = false }
end

local function new()
	return {
		magnitude = 0.0,
		speed = 16.0,
		state = IDLE,
		layerWeight = 1.0,
		layerTarget = 1.0,
		clips = { clip(), clip(), clip(), clip() },
	}
end

local function command(kind)
	count = count + 1
	commands[count] = kind
end

local function go(self, to)
	local from = self.state
	command(EXIT + from)
	local clip = self.clips[from]
	if clip.playing then
		clip.playing = false
		clip.slope = -clip.weight / FADE_OUT[from]
		command(STOP + from)
	end
	self.state = to
	self.layerTarget = 1.0
	command(ENTER + to)
	clip = self.clips[to]
	if not clip.playing then
		if clip.weight == 0.0 or not LOOPED[to] then
			clip.time = 0.0
		end
		clip.playing = true
		clip.slope = (1.0 - clip.weight) / FADE_IN[to]
		command(PLAY + to)
	end
end

local function tick(self, dt)
	local magnitude, speed, state = self.magnitude, self.speed, self.state
	local idle = magnitude <= 0.1
	local running = magnitude > 0.1 and speed >= 18.0
	local walking = magnitude > 0.1 and speed < 18.0
	if state == IDLE then
		if running then go(self, RUN) elseif walking then go(self, WALK) end
	elseif state == WALK then
		if running then go(self, RUN) elseif idle then go(self, IDLE) end
	elseif state == RUN then
		if idle then go(self, IDLE) elseif walking then go(self, WALK) end
	elseif state == JUMP then
		if idle then go(self, IDLE) end
	end
	local weight, target = self.layerWeight, self.layerTarget
	if weight < target then
		weight = weight + LERP_RATE * dt
		self.layerWeight = weight < target and weight or target
	elseif weight > target then
		weight = weight - LERP_RATE * dt
		self.layerWeight = weight > target and weight or target
	end
	local clips = self.clips
	for index = 1, 4 do
		local clip = clips[index]
		if clip.slope ~= 0.0 then
			local weight = clip.weight + clip.slope * dt
			if weight < NEAR then
				weight, clip.slope = 0.0, 0.0
			elseif weight > 1.0 - NEAR then
				weight, clip.slope = 1.0, 0.0
			end
			clip.weight = weight
		end
		if clip.playing or clip.weight ~= 0.0 then
			local time = clip.time + dt
			local duration = DURATION[index]
			if time >= duration then
				if LOOPED[index] then
					time = time - duration
				else
					time = duration
					if clip.playing then
						clip.playing = false
						clip.slope = -clip.weight / FADE_OUT[index]
					end
				end
			end
			clip.time = time
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
		local self = all[index]
		self.magnitude, self.speed = magnitude, speed
	end,
	tick = function(dt)
		for index = 1, #all do
			count = 0
			tick(all[index], dt)
		end
	end,
	state = function(index)
		return all[index].state
	end,
	weight = function(index, clip)
		return all[index].clips[clip].weight
	end,
}
